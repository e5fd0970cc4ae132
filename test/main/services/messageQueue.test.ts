import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { StorageFault } from '../../../src/main/core/ports/storageFault'
import { defineTool, type Tool } from '../../../src/main/core/tools/defineTool'
import { applyEvent, emptyChat } from '../../../src/shared/domain/chatView'
import type { AgentEvent, MessageAttachment } from '../../../src/shared/domain/event'
import { asId, type MessageId } from '../../../src/shared/domain/ids'
import { queueOf } from '../../../src/shared/domain/messageQueue'
import { said, succeed } from '../../../src/shared/domain/result'
import { makeRunsWorld, runsSession as id } from '../../support/runsWorld'
import { makeTurnWorld, reply, type Reply } from '../../support/turnWorld'

/** A read whose run the test decides. */
function look(run: () => Promise<string>): Tool {
  return defineTool({
    name: 'look', description: '', params: z.object({ n: z.number().default(0) }), effect: 'read', paths: () => [],
    forecast: () => Promise.resolve(succeed({ preview: { kind: 'arguments', text: '', notes: [] }, writes: [], base: {} })),
    run: async () => ({ status: 'ok', say: said('turn.done'), body: await run() }),
  })
}

/** Opened once; whoever waits goes on. */
function door(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), opened }
}

const call = (n = 0) => ({ name: 'look', args: { n } })
const messages = (request: { readonly messages: readonly { readonly role: string; readonly text: string }[] } | undefined) => (request?.messages ?? []).map(({ role, text }) => `${role}: ${text}`)

/** A turn whose first call waits until the test lets it go. */
async function begun(replies: readonly Reply[], redact?: (text: string) => string) {
  const gate = door()
  const reached = door()
  let n = 0
  const tool = look(async () => {
    if (n++ === 0) {
      reached.open()
      await gate.opened
    }
    return `seen ${n}`
  })
  const turn = makeTurnWorld({ tools: [tool], replies, ...(redact ? { redact } : {}) })
  const world = await makeRunsWorld(turn)
  const started = await world.runs.prompt(id, 'Go')
  if (!started.ok) throw new Error(started.fault.code)
  await reached.opened
  const put = async (text: string, messageId?: MessageId): Promise<MessageId> => {
    const done = await world.runs.queue(id, { text, ...(messageId === undefined ? {} : { messageId }) })
    if (!done.ok) throw new Error(done.fault.code)
    return done.value.messageId
  }
  return { ...world, turn, started: started.value, put, go: gate.open, waiting: () => queueOf(world.session.events).map(({ text }) => text) }
}

/** Until nothing runs any more. */
async function quiet({ runs }: { readonly runs: { isBusy(): boolean } }): Promise<void> {
  for (let at = 0; at < 500 && (at < 3 || runs.isBusy()); at += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('R10 a message typed while a turn runs', () => {
  test('is in the record at once, and is read at the next step boundary inside the turn, behind the results', async () => {
    const world = await begun([reply('', call()), reply('Done.')])
    await world.put('and the tests too')
    expect([world.waiting(), world.types().at(-1)]).toEqual([['and the tests too'], 'message-queued'])
    world.go()
    expect((await world.started.ended).reason).toBe('done')
    expect(messages(world.turn.requests[1])).toEqual(['user: Go', 'assistant: ', 'tool: Done.\nseen 1', 'user: and the tests too'])
    expect([world.waiting(), world.types().filter((type) => type === 'turn-started').length]).toEqual([[], 1])
    const delivered = world.session.events.filter((event) => event.type === 'user-message-added')
    expect(delivered.map((event) => event.turnId)).toEqual([world.started.turnId, world.started.turnId])
  })

  test('can say something else under the same number, keeps its place and what goes along, and can be taken out', async () => {
    const world = await begun([reply('', call()), reply('Done.')], (text) => text.replaceAll('token-1', '***'))
    const attachment: MessageAttachment = { server: 'docs', uri: 'docs://a', name: 'a', text: 'has token-1', outputRef: null, content: [] }
    const put = await world.runs.queue(id, { text: 'first', attachments: [attachment] })
    const second = await world.put('second')
    await world.put('third')
    if (!put.ok) throw new Error(put.fault.code)
    await world.put('first, better', put.value.messageId)
    expect(await world.runs.withdraw(id, second)).toEqual(succeed(null))
    expect(await world.runs.withdraw(id, second)).toMatchObject({ ok: false, fault: { code: 'session.queued-gone' } })
    expect(world.waiting()).toEqual(['first, better', 'third'])
    world.go()
    await world.started.ended
    const behind = world.session.events.slice(world.session.events.findIndex((event) => event.type === 'tool-finished') + 1)
    expect(behind.slice(0, 3)).toMatchObject([{ type: 'taint-marked', callId: null, source: { kind: 'mcp', server: 'docs' } }, { type: 'user-message-added', messageId: put.value.messageId, text: 'first, better', attachments: [{ text: 'has ***' }] }, { type: 'user-message-added', text: 'third' }])
    expect(await world.runs.queue(id, { text: 'too late', messageId: put.value.messageId })).toMatchObject({ ok: false, fault: { code: 'session.queued-gone' } })
  })

  test('“Deliver now” interrupts a running call as Esc would, the call has its result, and the turn goes on with the message', async () => {
    const world = await begun([reply('', call(), call(1)), reply('Instead.')])
    const now = await world.put('stop that, do this')
    expect(await world.runs.deliver(id, now)).toEqual(succeed(null))
    world.go()
    expect(await world.started.ended).toMatchObject({ reason: 'done', text: 'Instead.' })
    const results = world.session.events.flatMap((event) => (event.type === 'tool-finished' ? [event.callId] : []))
    expect(new Set(results).size).toBe(2)
    expect(messages(world.turn.requests[1]).at(-1)).toBe('user: stop that, do this')
  })

  test('“Deliver now” breaks a growing answer off: its text stays, nothing of it runs, and the message is read next', async () => {
    const begunStream = door()
    let parts = 0
    const turn = makeTurnWorld({ tools: [look(() => Promise.resolve('x'))], replies: [[{ kind: 'text-delta', text: 'I will ' }, ...Array.from({ length: 200 }, () => ({ kind: 'text-delta' as const, text: '.' })), ...reply('', call()).slice(0, 1), { kind: 'stopped', reason: 'tool-calls' }], reply('As you wish.')], onPart: () => { if (++parts === 3) begunStream.open() } })
    const world = await makeRunsWorld(turn)
    const started = await world.runs.prompt(id, 'Go')
    await begunStream.opened
    const put = await world.runs.queue(id, { text: 'no, rather this' })
    if (!put.ok || !started.ok) throw new Error('refused')
    await world.runs.deliver(id, put.value.messageId)
    expect((await started.value.ended).text).toBe('As you wish.')
    expect(world.types()).not.toContain('tool-called')
    const [, request] = turn.requests
    expect(messages(request).map((line) => line.slice(0, 18))).toEqual(['user: Go', 'assistant: I will ', 'user: no, rather t'])
  })

  test('one left when the turn went through begins the next turn, one by one', async () => {
    const begunStream = door()
    const turn = makeTurnWorld({ tools: [], replies: [reply('One.'), reply('Two.'), reply('Three.')], onPart: () => begunStream.open() })
    const world = await makeRunsWorld(turn)
    const started = await world.runs.prompt(id, 'Go')
    await begunStream.opened
    await world.runs.queue(id, { text: 'second' })
    await world.runs.queue(id, { text: 'third' })
    if (started.ok) await started.value.ended
    await quiet(world)
    expect(world.session.events.flatMap((event) => (event.type === 'user-message-added' ? [event.text] : event.type === 'turn-ended' ? [`= ${event.text}`] : []))).toEqual(['Go', '= One.', 'second', '= Two.', 'third', '= Three.'])
  })

  test('waits for the person after a turn that was stopped, and begins one when they say so', async () => {
    const world = await begun([reply('', call()), reply('Later.')])
    const put = await world.put('when you are back')
    world.runs.cancel(id)
    world.go()
    expect((await world.started.ended).reason).toBe('cancelled')
    await quiet(world)
    expect([world.waiting(), world.runs.isBusy()]).toEqual([['when you are back'], false])
    expect(await world.runs.deliver(id, put)).toEqual(succeed(null))
    await quiet(world)
    expect([world.waiting(), world.session.events.findLast((event) => event.type === 'turn-ended')]).toMatchObject([[], { text: 'Later.' }])
  })

  test('is there after a kill, in the order it was typed', async () => {
    const world = await begun([reply('', call())])
    await world.put('first')
    await world.put('second')
    const next = await makeRunsWorld(makeTurnWorld({ tools: [look(() => Promise.resolve('again'))], replies: [reply('Done.')] }), {}, { events: [...world.events], calls: new Map(world.calls) })
    expect(queueOf(next.session.events).map(({ text }) => text)).toEqual(['first', 'second'])
    expect((await next.runs.recover(id, 'ask'))?.reason).toBe('done')
    expect(queueOf(next.session.events)).toEqual([])
  })

  test('i07 on a full disk it is refused in words, nothing is half kept, and the turn goes on', async () => {
    const world = await begun([reply('', call()), reply('Done.')])
    const full = said('app.disk-full', { file: 'x' })
    const real = { ...world.sessions }
    Object.assign(world.sessions, { append: () => Promise.reject(new StorageFault(full)) })
    expect(await world.runs.queue(id, { text: 'lost?' })).toEqual({ ok: false, fault: full })
    Object.assign(world.sessions, real)
    world.go()
    expect([(await world.started.ended).reason, world.waiting()]).toEqual(['done', []])
  })

  test('stopping everything delivers none of it', async () => {
    const world = await begun([reply('', call())])
    await world.put('keep this')
    const stopping = world.runs.stopAll()
    world.go()
    expect(await stopping).toEqual([id])
    await quiet(world)
    expect([world.waiting(), (await world.started.ended).reason]).toEqual([['keep this'], 'cancelled'])
  })
})

test('R10 R95: in any order of putting, editing, withdrawing and delivering, the fold of the queue is that of a plain list, and the screen shows the same', () => {
  const step = fc.record({ kind: fc.constantFrom('put', 'withdraw', 'deliver'), message: fc.integer({ min: 0, max: 4 }), text: fc.string({ maxLength: 4 }) })
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    const list: { id: string; text: string }[] = []
    const events: AgentEvent[] = []
    for (const { kind, message, text } of steps) {
      const messageId = asId<MessageId>(`m${message}`)
      const at = list.findIndex((one) => one.id === messageId)
      const draft = kind === 'put' ? { type: 'message-queued' as const, messageId, text } : kind === 'withdraw' ? { type: 'message-withdrawn' as const, messageId } : { type: 'user-message-added' as const, turnId: asId<never>('t'), messageId, text }
      events.push({ ...draft, v: 1, sessionId: id, seq: events.length + 1, atMs: 0 })
      if (kind !== 'put') { if (at >= 0) list.splice(at, 1) }
      else if (at >= 0) list[at] = { id: messageId, text }
      else list.push({ id: messageId, text })
    }
    const shown = queueOf(events).map((one) => ({ id: one.messageId, text: one.text }))
    expect(shown).toEqual(list)
    expect(events.reduce(applyEvent, emptyChat(id)).queued).toEqual(queueOf(events))
  }))
})
