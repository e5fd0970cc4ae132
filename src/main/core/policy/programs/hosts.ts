/** The machine that an address names: `https://user@host:8080/x` and `host/x` give `host`; empty when it names none. */
export function hostOf(address: string): string {
  const rest = address.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//u, '')
  const authority = /^[^/?#]*/u.exec(rest)?.[0] ?? ''
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return (host.startsWith('[') ? host.replace(/\].*$/u, '').slice(1) : host.replace(/:\d*$/u, '')).toLowerCase()
}

/** True for names of this very machine. */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1|0:0:0:0:0:0:0:1|ip6-localhost|\[::1\])$/iu.test(host)
}
