import { said } from '../../../../shared/domain/result'
import type { JudgedPart } from './call'

const rawSockets: ReadonlySet<string> = new Set(['nc', 'ncat', 'netcat', 'socat', 'telnet', 'openssl'])
const shellCodes: ReadonlySet<string> = new Set(['guard.shell-input', 'guard.remote-code'])

/**
 * Looks at a pipeline as a whole, from the part at `from` on: a shell that reads what a raw connection delivers, or whose
 * output goes into one, hands this machine to the other end. Changes the shell's part to a denial.
 */
export function judgePipe(parts: JudgedPart[], from: number): void {
  const isConnected = parts.slice(from).some((part) => rawSockets.has(part.words[0] ?? '') || part.words.some((word) => /^(?:telnet|tcp):\/\//iu.test(word)))
  if (!isConnected) return
  for (let at = from; at < parts.length; at++) {
    const part = parts[at]
    if (part && shellCodes.has(part.reason.code)) {
      const host = parts.slice(from).flatMap((each) => each.hosts)[0] ?? '?'
      parts[at] = { ...part, verdict: 'deny', reason: said('guard.reverse-shell', { host }), canUndo: false }
    }
  }
}
