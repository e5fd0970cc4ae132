import { parseArgs } from 'node:util'
import { compactionStrategies, type CompactionStrategy } from '../../src/shared/domain/compaction'
import type { NextRequest } from '../../src/main/core/agent/turnPorts'
import { repairMessages } from '../../src/main/core/context/repair'
import { say } from '../../src/shared/words/say'
import { failing, makeCompactingWorld, type CompactingWorld } from '../support/compactingWorld'
import { sessionOf, storedChoice, wireOf, type StoredMessage } from '../support/storedMessages'
import type { LabInput, Print } from './index'

interface Options {
  readonly window: number
  readonly keepTurns: number
  readonly cut: number | null
  readonly strategy: CompactionStrategy
  readonly summary: string
}

/**
 * `compact`: a conversation in chat-completions form on stdin, through the product's own fold, plan and service, with `--summary`
 * as the answer of the model. Prints what the next request would hold, which messages of the input it holds whole (`kept`) and
 * which it does not (`dropped`), by their place from 0, and why. With `--cut` it is compacted as a person asks for, up to the last
 * user message at or before that place, whatever the window; else when the window asks for it.
 */
export async function compactLab(args: readonly string[], input: Pick<LabInput, 'bytes'>, print: Print): Promise<void> {
  const options = optionsOf(args)
  const given = readMessages(input.bytes().toString('utf8'))
  const messages = repairMessages(given).messages as unknown as readonly StoredMessage[]
  const stored = sessionOf(messages)
  const world = makeCompactingWorld({
    drafts: stored.drafts, systemText: stored.systemText, windowTokens: options.window,
    settings: { strategy: options.strategy, keepTurns: options.keepTurns, proposesMemory: false },
    answer: () => (options.summary === 'fail' ? failing(3) : options.summary),
  })
  const reason = options.cut === null ? null : await byHand(world, stored.seqOf.slice(0, options.cut + 1).findLast((seq) => seq > 0) ?? 0)
  const next = await world.prepare()
  const { history, systemText } = await world.ports.context(world.session)
  const sent = history.messages(systemText)
  const whole = new Set(sent.map((message) => JSON.stringify(wireOf(message))))
  const places = messages.map((message, at) => ({ at, isKept: whole.has(JSON.stringify(asSent(message))) }))
  print({
    messages: sent.map(wireOf),
    dropped: places.filter(({ isKept }) => !isKept).map(({ at }) => at),
    kept: places.filter(({ isKept }) => isKept).map(({ at }) => at),
    reason: reason ?? reasonOf(next, world),
  })
}

async function byHand(world: CompactingWorld, latestSeq: number): Promise<string> {
  const done = await world.compacting.compact(world.session, { tools: [], choice: storedChoice, words: '', latestSeq }, new AbortController().signal)
  return done.ok ? 'summarised' : say('en', done.fault)
}

function reasonOf(next: NextRequest, { session }: CompactingWorld): string {
  if (next.kind === 'ended') return say('en', next.say)
  const last = session.events.findLast((event) => event.type === 'history-compacted' || event.type === 'note-added')
  if (last?.type === 'note-added') return say('en', last.say)
  if (last?.type !== 'history-compacted') return 'fits'
  return last.beforeSeq === 0 ? 'trimmed' : 'summarised'
}

/** A message of the input as it would stand in a request that holds it whole. */
function asSent(message: StoredMessage): object {
  const [draft] = sessionOf([message]).drafts.slice(1)
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.tool_call_id, content: message.content }
  if (draft?.type === 'user-message-added') return { role: 'user', content: draft.text }
  if (draft?.type !== 'assistant-message-added') return { role: message.role, content: message.content }
  return wireOf({ role: 'assistant', text: draft.text, calls: draft.calls })
}

function readMessages(text: string): readonly unknown[] {
  const body: unknown = JSON.parse(text)
  const list = typeof body === 'object' && body !== null && 'messages' in body ? body.messages : body
  if (!Array.isArray(list)) throw new Error('standard input holds no list of messages')
  return list as readonly unknown[]
}

function optionsOf(args: readonly string[]): Options {
  const values = parsed(args)
  const window = wholeOf(values.window, 'window')
  if (window === null) throw usage('usage: compact --window N [--keep-turns N] [--cut N] [--strategy once|groups] [--summary TEXT|fail]')
  const strategy = compactionStrategies.find((one) => one === (values.strategy ?? 'once'))
  if (!strategy) throw usage(`--strategy takes ${compactionStrategies.join(' or ')}`)
  return { window, keepTurns: wholeOf(values['keep-turns'], 'keep-turns') ?? 3, cut: wholeOf(values.cut, 'cut', 0), strategy, summary: values.summary ?? 'Goal: what came before (turn 1)' }
}

interface Given {
  readonly window?: string
  readonly 'keep-turns'?: string
  readonly cut?: string
  readonly strategy?: string
  readonly summary?: string
}

function parsed(args: readonly string[]): Given {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ args: [...args], options: { window: text, 'keep-turns': text, cut: text, strategy: text, summary: text, data: text } }).values
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error))
  }
}

function wholeOf(value: string | undefined, name: string, least = 1): number | null {
  if (value === undefined) return null
  const number = Number(value)
  if (!Number.isInteger(number) || number < least) throw usage(`--${name} takes a whole number from ${least}`)
  return number
}

function usage(sentence: string): Error {
  return Object.assign(new Error(sentence), { name: 'LabUsage' })
}
