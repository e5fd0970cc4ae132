import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AuditDraft } from '../../../src/shared/domain/audit'
import { asId, type CallId, type MemoryId, type SessionId, type WorkspaceId } from '../../../src/shared/domain/ids'
import { memoryCharacters, type MemoryScope } from '../../../src/shared/domain/memory'
import type { Ask } from '../../../src/shared/ipc/bridge'
import { memoryPart } from '../../../src/main/core/context/memoryPart'
import type { Segmenter } from '../../../src/main/core/ports/segmenter'
import { makeMemories } from '../../../src/main/services/makeMemories'
import { memoryStoreInMemory, plainSegmenter } from '../../support/memoryStore'

const hourMs = 3_600_000
const here = asId<WorkspaceId>('here')
const elsewhere = asId<WorkspaceId>('elsewhere')
const sessionId = asId<SessionId>('s')
const callId = asId<CallId>('c')
const web = { kind: 'web', host: 'example.org', url: 'https://example.org/' } as const

function world({ segmenter = plainSegmenter }: { readonly segmenter?: Segmenter } = {}) {
  const store = memoryStoreInMemory()
  const audit: AuditDraft[] = []
  const clock = { now: 1_000 * hourMs }
  let ids = 0
  const memories = makeMemories({
    store, segmenter, clock: { nowMs: () => clock.now },
    ids: { next: () => `id${String(++ids).padStart(6, '0')}`, nonce: () => 'n' },
    audit: { append: (draft) => (audit.push(draft), Promise.resolve({ entries: audit.length, chain: 'c' })), head: () => null, verify: () => Promise.resolve({ ok: true, entries: 0 }), exportTo: () => Promise.resolve(0), hasRollback: () => Promise.resolve(false) },
    withoutKnown: (text) => text.replaceAll('hunter2', '[redacted:known]'),
  })
  const save = async (text: string, scope: MemoryScope = 'project', workspaceId = here) => {
    const saved = await memories.save(workspaceId, { text, scope, by: 'table', sessionId: null })
    if (!saved.ok) throw new Error(saved.fault.code)
    clock.now += 1
    return saved.value.memory
  }
  const accept = async (text: string, outside: typeof web | null = null) => {
    const saved = await memories.accept(here, { text, scope: 'project', sessionId, callId, outside })
    if (!saved.ok) throw new Error(saved.fault.code)
    return saved.value.memory
  }
  const page = (ask: Partial<Ask<'memory/page'>> = {}, windowTokens: number | null = null) => memories.page(here, { query: '', scope: 'all', isBin: false, order: { by: 'at', isDescending: false }, offset: 0, limit: 100, draft: '', ...ask }, windowTokens)
  const texts = async (ask: Partial<Ask<'memory/page'>> = {}) => (await page(ask)).rows.map(({ memory }) => memory.text)
  return { store, audit, clock, memories, save, accept, page, texts }
}

test('R39 while nothing is kept, no draft is taken apart', async () => {
  let cuts = 0
  const { memories, save, clock } = world({ segmenter: { terms: (texts) => plainSegmenter.terms(texts), queryTerms: (texts) => (cuts++, plainSegmenter.queryTerms(texts)) } })
  expect([await memories.inject(here, 'When is staging reset', null), cuts]).toEqual([[], 0])
  await save('Staging is reset on Fridays')
  clock.now += 1
  expect([(await memories.inject(here, 'When is staging reset', null)).length, cuts]).toEqual([1, 1])
})

describe('saving', () => {
  test('R33 R34 a project reads its own entries and the general ones', async () => {
    const { save, texts, memories } = world()
    await save('ours')
    await save('everybody’s', 'general')
    await save('theirs', 'project', elsewhere)
    expect([await texts(), await texts({ scope: 'project' }), (await memories.search(elsewhere, 'everybody theirs ours', 9)).map(({ memory }) => memory.text)]).toEqual([['ours', 'everybody’s'], ['ours'], ['theirs', 'everybody’s']])
  })

  test('R36 what is there already is given back, also when two say it at once; a general one is not hidden by a project’s', async () => {
    const { memories, save, page } = world()
    const one = await save('Use  tabs')
    const draft = (text: string, scope: MemoryScope) => memories.save(here, { text, scope, by: 'save', sessionId })
    expect(await draft(' use tabs\r\n', 'project')).toEqual({ ok: true, value: { memory: one, isNew: false } })
    expect((await Promise.all([draft('Use tabs', 'general'), draft('use tabs', 'general')])).map((saved) => saved.ok && saved.value.isNew)).toEqual([true, false])
    expect((await page()).counts).toEqual({ project: 1, general: 1, bin: 0 })
  })

  test.each([
    ['no words', '   \n', { code: 'memory.empty', values: {} }],
    ['one too long', 'x'.repeat(memoryCharacters + 1), { code: 'memory.too-long', values: { limit: memoryCharacters, characters: memoryCharacters + 1 } }],
    ['a registered secret', 'The password is hunter2', { code: 'memory.holds-secret', values: {} }],
    ['a token', 'export GITHUB_TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345', { code: 'memory.holds-secret', values: {} }],
  ])('R33 R68 %s is refused with a sentence, whoever wrote it', async (_name, text, fault) => {
    const { memories, page, audit } = world()
    expect(await memories.save(here, { text, scope: 'project', by: 'save', sessionId: null })).toEqual({ ok: false, fault })
    expect(await memories.accept(here, { text, scope: 'project', sessionId, callId, outside: null })).toEqual({ ok: false, fault })
    expect([(await page()).counts.project, audit]).toEqual([0, []])
  })

  test('R36 each change is one line of the audit record, by id, scope and who did it', async () => {
    const { memories, save, accept, audit, clock } = world()
    const one = await save('One', 'general')
    const two = await accept('Two')
    await memories.change(here, [{ id: one.id, rev: 1, isPinned: true }])
    const gone = await memories.remove(here, [two.id])
    if (gone.ok) await memories.restore(here, { batch: gone.value.batch })
    await memories.clear(here, 'project')
    await memories.importText(here, '- Three', 'general')
    await memories.exportText(here, 'json', 'all')
    clock.now += 31 * 24 * hourMs
    await memories.emptyBin()
    expect(audit.map(({ fact, actor, args }) => [fact, actor, args])).toMatchObject([
      ['memory-saved', 'person', { id: one.id, scope: 'general', text: 'One', source: 'person' }], ['memory-saved', 'person', { id: two.id, source: 'agent' }],
      ['memory-changed', 'person', { ids: [one.id], changes: [{ isPinned: true }] }], ['memory-removed', 'person', { ids: [two.id], count: 1 }], ['memory-restored', 'person', { count: 1 }],
      ['memory-removed', 'person', { scope: 'project', count: 1 }], ['memory-imported', 'person', { added: 1 }], ['memory-exported', 'person', { count: 2, format: 'json' }], ['memory-removed', 'app', { count: 1, forGood: true }],
    ])
    expect(audit[1]).toMatchObject({ sessionId, callId })
  })
})

describe('changing', () => {
  test('R36 a change made on what somebody else changed meanwhile shows both and overwrites nothing', async () => {
    const { memories, save, texts } = world()
    const [one, two] = [await save('One'), await save('Two')]
    const first = await memories.change(here, [{ id: one.id, rev: 1, text: 'One, by window 1' }])
    expect(first).toMatchObject({ ok: true, value: { kind: 'changed', memories: [{ text: 'One, by window 1', rev: 2 }] } })
    const second = await memories.change(here, [{ id: two.id, rev: 1, text: 'Two, by window 2' }, { id: one.id, rev: 1, text: 'One, by window 2' }])
    expect(second).toMatchObject({ ok: true, value: { kind: 'conflict', theirs: [{ id: one.id, now: { text: 'One, by window 1' } }] } })
    expect((await texts()).sort()).toEqual(['One, by window 1', 'Two'])
  })

  test('R34 entries of another project can neither be changed nor deleted from here', async () => {
    const { memories, save } = world()
    const theirs = await save('theirs', 'project', elsewhere)
    expect(await memories.change(here, [{ id: theirs.id, rev: 1, text: 'mine' }])).toEqual({ ok: true, value: { kind: 'conflict', theirs: [{ id: theirs.id, now: null }] } })
    expect(await memories.remove(here, [theirs.id])).toMatchObject({ ok: true, value: { count: 0 } })
    expect([...await memories.stillThere([theirs.id])]).toEqual([theirs.id])
  })

  test('R33 R71 what came from outside is in no prompt until the person edits it: then it is theirs', async () => {
    const { memories, accept, page } = world()
    const outside = await accept('Staging is reset on Fridays', web)
    expect((await page({ draft: 'When is staging reset' })).rows.map(({ score }) => score?.fate)).toEqual(['outside'])
    expect(await memories.inject(here, 'When is staging reset', null)).toEqual([])
    await memories.change(here, [{ id: outside.id, rev: 1, scope: 'general' }])
    expect(await memories.inject(here, 'When is staging reset', null)).toEqual([])
    const changed = await memories.change(here, [{ id: outside.id, rev: 2, text: 'Staging is reset on Mondays' }])
    expect(changed).toMatchObject({ ok: true, value: { memories: [{ source: { kind: 'person', by: 'table', sessionId } }] } })
    expect(await memories.inject(here, 'When is staging reset', null)).toHaveLength(1)
  })

  test('R33 R71 a pin lets an entry from outside be used and leaves its source; without the pin it is held back again', async () => {
    const { memories, accept, page } = world()
    const outside = await accept('Staging is reset on Fridays', web)
    const fates = async () => (await page({ draft: 'When is staging reset' })).rows.map(({ memory, score }) => [memory.source.kind, score?.fate])
    await memories.change(here, [{ id: outside.id, rev: 1, isPinned: true, text: 'Staging is reset on Fridays' }])
    expect([await fates(), (await memories.inject(here, 'When is staging reset', null)).length]).toEqual([[['outside', 'injected']], 1])
    await memories.change(here, [{ id: outside.id, rev: 2, isPinned: false }])
    expect([await fates(), await memories.inject(here, 'When is staging reset', null)]).toEqual([[['outside', 'outside']], []])
  })

  test.each(['json', 'markdown'] as const)('R36 R71 an export as %s keeps what came from outside so; a known entry gains no trust by an import', async (format) => {
    const [one, other] = [world(), world()]
    await one.accept('Staging is reset on Fridays', web)
    await one.save('Deploys are on Mondays')
    const { text } = await one.memories.exportText(here, format, 'all')
    await other.memories.importText(here, text, 'project')
    expect((await other.page({})).rows.map(({ memory }) => memory.source).sort((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([{ kind: 'outside', source: web, sessionId: null, callId: null }, { kind: 'person', by: 'import', sessionId: null }])
    expect(await other.memories.importText(here, '- Staging is reset on Fridays', 'project')).toMatchObject({ ok: true, value: { added: 0, known: 1 } })
    expect(await other.memories.inject(here, 'staging reset', null)).toEqual([])
  })

  test.each(['the root password is correcthorsebattery', '密码是 hunter9x', 'wifi pin 1234'])('R33 a secret in words is neither saved, accepted, edited in nor imported: %s', async (text) => {
    const { memories, save, page } = world()
    const one = await save('One')
    const fault = { ok: false, fault: { code: 'memory.holds-secret' } }
    expect(await memories.save(here, { text, scope: 'project', by: 'save', sessionId: null })).toMatchObject(fault)
    expect(await memories.accept(here, { text, scope: 'project', sessionId, callId, outside: null })).toMatchObject(fault)
    expect(await memories.change(here, [{ id: one.id, rev: 1, text }])).toMatchObject(fault)
    expect(await memories.importText(here, `- ${text}`, 'project')).toMatchObject({ ok: true, value: { added: 0, faults: [{ code: 'memory.import-line' }] } })
    expect((await page({})).rows.map(({ memory }) => memory.text)).toEqual(['One'])
  })

  test('R33 what the person writes in the same words as text from outside is theirs', async () => {
    const { memories, save, accept } = world()
    const outside = await accept('Staging is reset on Fridays', web)
    expect((await save('staging is reset on fridays')).id).toBe(outside.id)
    expect(await memories.inject(here, 'staging reset', null)).toHaveLength(1)
  })

  test('R38 the time an entry was said moves with its text, and with nothing else', async () => {
    const { memories, save, clock } = world()
    const one = await save('One')
    clock.now += hourMs
    await memories.change(here, [{ id: one.id, rev: 1, isPinned: true, text: 'One' }])
    const [pinned] = await memories.search(here, 'one', 1)
    await memories.change(here, [{ id: one.id, rev: 2, text: 'One more' }])
    const [edited] = await memories.search(here, 'one', 1)
    expect([pinned?.memory.atMs, edited?.memory.atMs]).toEqual([one.atMs, clock.now])
  })

  test('R36 deleted entries come back by their batch or one by one, and are gone for good after 30 days', async () => {
    const { memories, save, texts, clock } = world()
    const [one, two, three] = [await save('One'), await save('Two'), await save('Three')]
    const gone = await memories.remove(here, [one.id, two.id])
    expect([await texts(), await texts({ isBin: true }), [...await memories.stillThere([one.id, three.id])]]).toEqual([['Three'], ['One', 'Two'], [three.id]])
    if (gone.ok) await memories.restore(here, { batch: gone.value.batch })
    expect(await texts()).toEqual(['One', 'Two', 'Three'])
    await memories.remove(here, [one.id])
    await memories.remove(here, [two.id])
    expect(await memories.restore(here, { ids: [two.id] })).toEqual({ ok: true, value: { count: 1 } })
    clock.now += 30 * 24 * hourMs
    expect([await memories.emptyBin(), (clock.now += 1, await memories.emptyBin()), (await texts({ isBin: true }))]).toEqual([0, 1, []])
  })

  test('listeners hear the numbers after a change, until they leave', async () => {
    const { memories, save } = world()
    const heard: unknown[] = []
    const leave = memories.onChange((counts) => heard.push(counts))
    await save('One')
    leave()
    await save('Two')
    expect(heard).toEqual([{ project: 1, general: 0, bin: 0 }])
  })
})

describe('the table', () => {
  test('R39 each row shows its score for the draft and whether it would be injected; the meter counts what would', async () => {
    const { save, accept, page, clock } = world()
    await save('run the tests before a commit')
    await save('run the tests before a commit!')
    await accept('the tests need a commit of the database', web)
    await save('ship on Fridays')
    clock.now += 48 * hourMs
    const { rows, budget } = await page({ draft: 'commit the tests' })
    // Of two that say the same, the newer stands for both.
    expect(rows.map(({ memory, score }) => [memory.text, score?.match, score?.decay, score?.fate])).toEqual([
      ['run the tests before a commit', 1, 0.5, 'duplicate'], ['run the tests before a commit!', 1, 0.5, 'injected'], ['the tests need a commit of the database', 1, 0.5, 'outside'], ['ship on Fridays', 0, 0.5, 'below'],
    ])
    expect(budget).toEqual({ entries: 1, tokens: rows.find(({ score }) => score?.fate === 'injected')?.score?.tokens, limit: 500 })
    expect((await page()).rows.map(({ score }) => score)).toEqual([null, null, null, null])
  })

  test('R39 entries that would be injected together and may contradict each other name each other', async () => {
    const { save, page, memories } = world()
    await save('Always run the tests in parallel')
    await save('Never run the tests in parallel')
    const { rows } = await page({ draft: 'run the tests in parallel' })
    expect(rows.map(({ memory, contradicts }) => [memory.text, contradicts])).toEqual([['Always run the tests in parallel', ['Never run the tests in parallel']], ['Never run the tests in parallel', ['Always run the tests in parallel']]])
    const [first, second] = await memories.inject(here, 'run the tests in parallel', null)
    expect([first?.contradicts, second?.contradicts]).toEqual([[second?.id], [first?.id]])
    expect((await memories.related(here, 'Always run the tests in parallel')).map(({ relation, memory }) => [relation, memory.text])).toEqual([['same', 'Always run the tests in parallel'], ['contradicts', 'Never run the tests in parallel']])
  })

  test('R39 R40 many that all contradict each other name some others each, and hang together all the same', async () => {
    const { save, memories } = world()
    for (let at = 0; at < 60; at += 1) await save(`Indent by ${at} spaces`)
    const injected = await memories.inject(here, 'indent by spaces', 1_000_000)
    expect(injected.map(({ contradicts }) => contradicts.length)).toEqual(injected.map(() => 20))
    expect(memoryPart(injected).split('\n').slice(62).map((line) => line.split(' may ')[0])).toEqual([`Notes ${injected.map((_, at) => at + 1).join(', ')}`])
  })

  test('R36 R37 a query lists what it finds in the asked order; its pages fit together', async () => {
    const { save, texts, page } = world()
    for (const text of ['b tests', 'a tests run', 'c 测试', 'd']) await save(text)
    expect(await texts({ query: 'tests run', order: { by: 'score', isDescending: true } })).toEqual(['a tests run', 'b tests'])
    expect(await texts({ query: 'tests', order: { by: 'text', isDescending: true } })).toEqual(['b tests', 'a tests run'])
    expect(await texts({ query: '测' })).toEqual(['c 测试'])
    expect([await page({ query: 'tests', offset: 1, limit: 1 }).then(({ rows, total }) => [rows.length, total]), await texts({ query: '...' })]).toEqual([[1, 2], []])
  })

  test('R36 the order by score lists every entry exactly once over all pages, best first, the rest newest first', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.record({ words: fc.subarray(['ship', 'test', 'run', 'tabs']), ageHours: fc.integer({ min: 0, max: 60 }) }), { maxLength: 20 }), fc.constantFrom('', 'ship the test', 'tabs'), fc.integer({ min: 1, max: 7 }), fc.boolean(), async (entries, draft, limit, isDescending) => {
      const { store, page } = world()
      await store.add(entries.map(({ words, ageHours }, at) => ({ id: asId<MemoryId>(`m${String(at).padStart(3, '0')}`), text: `${words.join(' ')} n${at}`, terms: [...words, `n${at}`], workspaceId: here, source: { kind: 'person', by: 'table', sessionId: null } as const, isPinned: false, atMs: (1000 - ageHours) * hourMs })))
      const all: string[] = []
      for (let offset = 0; ; offset += limit) {
        const { rows, total } = await page({ draft, order: { by: 'score', isDescending }, offset, limit })
        expect(total).toBe(entries.length)
        all.push(...rows.map(({ memory, score }) => `${draft === '' ? '' : (score?.score ?? 0).toFixed(6)} ${memory.atMs} ${999 - Number(memory.id.slice(1))}`))
        if (rows.length < limit) break
      }
      const sorted = [...all].sort((a, b) => compareNumbers(b.split(' '), a.split(' ')))
      expect(all).toEqual(isDescending ? sorted : [...sorted].reverse())
      expect(new Set(all).size).toBe(entries.length)
    }), { numRuns: 60 })
  })
})

function compareNumbers(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((word, index) => Number(word) !== Number(b[index]))
  return at === -1 ? 0 : Number(a[at]) - Number(b[at])
}

describe('injection', () => {
  test('R40 what is injected fits the budget of the window, best first', async () => {
    const { save, memories } = world()
    for (let n = 0; n < 60; n++) await save(`fact ${n} about the gateway ${'x'.repeat(80)}${n}`)
    const tokens = async (window: number | null) => (await memories.inject(here, 'gateway', window)).reduce((sum, one) => sum + one.tokens, 0)
    const [none, small, large] = [await tokens(null), await tokens(8000), await tokens(200_000)]
    expect([none <= 500, small <= 500, large <= 1000, large > 900, none === small]).toEqual([true, true, true, true, true])
    expect(await memories.inject(here, '   ', null)).toEqual([])
  })

  test('R68 a secret that became one after an entry was made leaves neither into a prompt nor into an export', async () => {
    const { store, memories } = world()
    await store.add([{ id: asId<MemoryId>('m'), text: 'log in with hunter2', terms: ['log', 'in', 'with', 'hunter2'], workspaceId: null, source: { kind: 'person', by: 'table', sessionId: null }, isPinned: false, atMs: 0 }])
    expect((await memories.inject(here, 'log in', null)).map(({ text }) => text)).toEqual(['log in with [redacted:known]'])
    expect((await memories.exportText(here, 'markdown', 'all')).text).not.toContain('hunter2')
  })
})

describe('import and export', () => {
  test('R36 an export is taken in by another project whole; a second time everything is known', async () => {
    const { save, memories, texts, clock } = world()
    const kept = await save('Ours\n\nwith two parts')
    await save('Everybody’s', 'general')
    await memories.change(here, [{ id: kept.id, rev: 1, isPinned: true }])
    const { text, count } = await memories.exportText(here, 'json', 'all')
    const other = world()
    other.clock.now = clock.now
    expect([count, await other.memories.importText(here, text, 'project'), await other.memories.importText(here, text, 'project')]).toEqual([
      2, { ok: true, value: { added: 2, known: 0, faults: [] } }, { ok: true, value: { added: 0, known: 2, faults: [] } },
    ])
    expect(await other.texts()).toEqual(await texts())
    expect((await other.page()).rows[0]?.memory).toMatchObject({ isPinned: true, atMs: kept.atMs, source: { kind: 'person', by: 'import' } })
  })

  test('R36 what cannot be taken in is told by its line, and nothing is from the future', async () => {
    const { memories, clock, page } = world()
    const imported = await memories.importText(here, '[{"text": "a", "at": "2999-01-01T00:00:00Z"},\n{"text": "the password is hunter2"},\n{"text": " "},\n{"text": "A"}, 5]', 'general')
    expect(imported).toMatchObject({ ok: true, value: { added: 1, known: 1, faults: [{ code: 'memory.import-bad-entry', values: { line: 4 } }, { code: 'memory.import-line', values: { line: 2, fault: { code: 'memory.holds-secret' } } }, { code: 'memory.import-line', values: { line: 3 } }] } })
    expect((await page()).rows.map(({ memory }) => memory.atMs)).toEqual([clock.now])
    expect(await memories.importText(here, '{}', 'general')).toEqual({ ok: false, fault: { code: 'memory.import-no-list', values: {} } })
    expect(await memories.importText(here, 'word\n'.repeat(60), 'general')).toMatchObject({ ok: true, value: { faults: { length: 51, 50: { code: 'memory.import-more', values: { count: 10 } } } } })
  })
})
