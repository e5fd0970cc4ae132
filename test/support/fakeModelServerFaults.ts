import { htmlPage, httpAnswer, rateLimited, rawStream, reply, type FakeReply, type FakeStep } from './fakeModelServer'
import { replyText, type FakeProtocol } from './fakeModelServerWire'

/** What went wrong with a reply, and what may still be made of it. `whole`: nothing is lost, the reply must come out as scripted. */
export interface Spoiled {
  readonly name: string
  readonly step: FakeStep
  readonly isWhole: boolean
}

/** A reply spoiled in one of the ways of the case files; the same number gives the same fault. */
export function seededFault(protocol: FakeProtocol, what: FakeReply, seed: number): Spoiled {
  const text = replyText(protocol, what, 0)
  const bytes = new TextEncoder().encode(text)
  const at = 1 + ((seed * 7919) % Math.max(1, bytes.length - 1))
  const error = protocol === 'ollama' ? '{"error":"model runner has unexpectedly stopped"}' : `${protocol === 'anthropic' ? 'event: error\n' : ''}data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`
  const blank = protocol === 'ollama' ? '\n' : '\n\n'
  const lines = text.split(blank)
  const withLine = (line: string, place: number): string => [...lines.slice(0, place), line, ...lines.slice(place)].join(blank)
  const faults: readonly Spoiled[] = [
    { name: 'byte by byte', step: { ...reply(what), bytewise: true }, isWhole: true },
    { name: 'carriage returns', step: rawStream(text.replaceAll('\n', '\r\n')), isWhole: true },
    { name: 'unknown events', step: rawStream(withLine(protocol === 'ollama' ? '{"progress":1}' : 'event: news\ndata: {"type":"news","index":9}', 1 + (seed % Math.max(1, lines.length - 1)))), isWhole: true },
    { name: 'cut', step: rawStream(bytes.subarray(0, at)), isWhole: false },
    { name: 'dropped', step: { ...reply(what), dropAfter: at }, isWhole: false },
    { name: 'an error in the middle', step: rawStream(withLine(error, Math.min(lines.length - 1, 2 + (seed % lines.length)))), isWhole: false },
    { name: 'a broken piece', step: rawStream(withLine(protocol === 'ollama' ? '{"message":{"content":"x' : 'data: {"choices":[{"delta"', 1)), isWhole: false },
    { name: 'nothing', step: rawStream(''), isWhole: false },
    { name: 'too many requests', step: rateLimited(0), isWhole: false },
    { name: 'overloaded', step: httpAnswer(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }), isWhole: false },
    { name: 'a web page', step: htmlPage(200), isWhole: false },
  ]
  const chosen = faults[seed % faults.length]
  if (!chosen) throw new Error('no fault')
  return chosen
}
