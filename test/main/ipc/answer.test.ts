import type { WebContents } from 'electron'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answer, isFromWindow, type Handlers, type Sender, type SenderCheck } from '../../../src/main/ipc/answer'
import { channels, type ChannelName } from '../../../src/shared/ipc/channels'
import { schemas } from '../../../src/shared/ipc/schemas'

const page = 'app://ui/'
const top = { url: page }
const window = { mainFrame: top }
const own = { sender: window, senderFrame: top } as unknown as Sender
const check: SenderCheck = { isKnownWindow: (contents) => contents === (window as unknown as WebContents), isOwnPage: (address) => address === page }

/** Handlers that keep what reached them. */
function listening(): { readonly handlers: Promise<Handlers>; readonly reached: { readonly name: string; readonly ask: unknown }[] } {
  const reached: { name: string; ask: unknown }[] = []
  const all = channels.map((name) => [name, (ask: unknown) => Promise.resolve(reached.push({ name, ask }))] as const)
  return { handlers: Promise.resolve(Object.fromEntries(all) as unknown as Handlers), reached }
}

const senders: readonly (readonly [string, unknown])[] = [
  ['a frame inside of our page', { sender: window, senderFrame: { url: page } }],
  ['our window on a foreign page', { sender: { mainFrame: { url: 'https://example.invalid/' } }, senderFrame: { url: 'https://example.invalid/' } }],
  ['a foreign page with a name like ours', { sender: window, senderFrame: { url: 'app://ui.example.invalid/' } }],
  ['contents without a window of ours', { sender: { mainFrame: top }, senderFrame: top }],
  ['a frame that is gone', { sender: window, senderFrame: null }],
  ['a frame of another page in our window', { sender: window, senderFrame: { url: 'about:srcdoc' } }],
]

describe('E17 who may call', () => {
  test.each(senders)('%s is refused before anything else is looked at, on every channel', async (_who, from) => {
    const { handlers, reached } = listening()
    const answers = await Promise.all(channels.map((name) => answer(name, from as Sender, {}, handlers, check).then(() => 'answered', (error: Error) => error.message)))
    expect([new Set(answers), reached]).toEqual([new Set(['refused']), []])
  })

  test('the top frame of a known window on our page is the only one that is let through', () => {
    fc.assert(fc.property(fc.boolean(), fc.boolean(), fc.constantFrom(page, 'about:blank', 'app://ui/x', 'file:///etc/passwd'), (isKnown, isTop, url) => {
      const frame = { url }
      const sender = { mainFrame: isTop ? frame : { url } }
      const given: SenderCheck = { isKnownWindow: () => isKnown, isOwnPage: (address) => address === page }
      expect(isFromWindow({ sender, senderFrame: frame } as unknown as Sender, given)).toBe(isKnown && isTop && url === page)
    }))
    expect(isFromWindow(own, check)).toBe(true)
  })
})

/** What structured clone can carry out of a page. */
const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true, withObjectString: true, withNullPrototype: true, maxDepth: 3, maxKeys: 5 })
/** Objects that have the fields of some channel, with values of any kind. */
const fields = ['sessionId', 'root', 'text', 'level', 'callId', 'nonce', 'argsHash', 'answer', 'url', 'name', 'form', 'choice', 'provider', 'key', 'ids', 'changes', 'from', 'target', 'head', 'path', 'origin', 'ref', 'offset', 'length', 'pid', '__proto__', 'constructor']
const fitting = fc.dictionary(fc.constantFrom(...fields), fc.oneof(anything, fc.string(), fc.integer(), fc.constantFrom('', 'all', 'a'.repeat(64), null, true)), { maxKeys: 6 })

/** Names that the schema of a channel gives the fields of its argument; null where it takes more than one shape. */
function namesOf(name: ChannelName): readonly string[] | null {
  const { shape } = schemas[name].input as unknown as { readonly shape?: Readonly<Record<string, unknown>> }
  return shape === undefined ? null : Object.keys(shape)
}

describe('E18 what may be said', () => {
  test.each(channels)('%s: random values that its schema does not take reach no handler, and no field that it does not name', async (name) => {
    const { handlers, reached } = listening()
    await fc.assert(fc.asyncProperty(fc.oneof(anything, fitting), async (ask) => {
      const takes = schemas[name].input.safeParse(ask).success
      const before = reached.length
      const fault = await answer(name, own, ask, handlers, check).then(() => null, (error: unknown) => error)
      expect({ calls: reached.length - before, isRefused: fault instanceof Error && fault.message.startsWith(name) }).toEqual(takes ? { calls: 1, isRefused: false } : { calls: 0, isRefused: true })
    }), { numRuns: 25 })
    const names = namesOf(name)
    const unknown = reached.flatMap(({ ask }) => Object.keys(ask as object)).filter((field) => names !== null && !names.includes(field))
    expect([unknown, new Set(reached.map((one) => one.name))]).toEqual([[], new Set(reached.length > 0 ? [name] : [])])
  })

  test('what never ends, or cannot be read, is refused and not followed', async () => {
    const { handlers, reached } = listening()
    const round: Record<string, unknown> = { sessionId: 's' }
    round['text'] = round
    const answers = await Promise.all([round, 'x'.repeat(5_000_000), [[[[]]]], new Map([['sessionId', 's']])].map((ask) => answer('session/prompt', own, ask, handlers, check).then(() => 'answered', () => 'refused')))
    expect([answers, reached]).toEqual([['refused', 'refused', 'refused', 'refused'], []])
  })
})
