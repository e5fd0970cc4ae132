import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../../../src/main/adapters/sqlite/database'
import type { EventDraft } from '../../../../src/shared/domain/event'
import { asId, type SessionId, type WorkspaceId } from '../../../../src/shared/domain/ids'
import { searchParts } from '../../../../src/shared/domain/searchText'
import { opened, turnBegun, turnEnded } from '../../../support/drafts'
import { openIn, rawOpen, scratchFolder } from '../../../support/scratchDatabase'

let messages = 0
function said(text: string): EventDraft {
  messages += 1
  return { type: 'user-message-added', turnId: asId('t'), messageId: asId(`said-${messages}`), text }
}

function answered(text: string): EventDraft {
  return { type: 'assistant-message-added', turnId: asId('t'), step: 1, messageId: asId('a'), text, reasoning: '', choice: { provider: 'p', model: 'm' }, calls: [], stop: 'stop', isComplete: true }
}

async function world(dataDir = scratchFolder()) {
  const database = await openIn(dataDir)
  const here = await database.timeline.workspace('/home/me/project', 'project')
  const other = await database.timeline.workspace('/home/me/other', 'other')
  const begin = async (id: string, texts: readonly EventDraft[], workspaceId: WorkspaceId = here.id): Promise<SessionId> => {
    await database.events.append(asId(id), [opened(workspaceId, id), ...texts])
    return asId<SessionId>(id)
  }
  return { dataDir, database, here, other, begin }
}

async function hits(database: Database, query: string, workspaceId: WorkspaceId | null = null): Promise<readonly string[]> {
  while (!(await database.search.catchUp())) continue
  return (await database.search.find({ query, workspaceId, limit: 1000 })).found.map(({ sessionId, seq }) => `${sessionId}/${seq}`)
}

const piece = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...'回滚合并改动审计记录') }, fc.constantFrom('git', 'commit', 'snap', 'snapshot', 'shot', ' ', ' ', '，', '.', '_', 'A', '1'))
const phrase = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''))

/** Substring search, as D5 asks: a word is looked for from its beginning, anything else wherever it stands. */
function holds(text: string, query: string): boolean {
  const [of, parts] = [text.toLowerCase(), query.toLowerCase().split(/\s+/).filter((part) => part !== '')]
  const isWord = (character: string | undefined): boolean => character !== undefined && /[a-z0-9_]/.test(character)
  return parts.length > 0 && parts.every((part, index) => {
    const isOpen = searchParts(query)[index]?.isOpen ?? false
    for (let at = of.indexOf(part); at !== -1; at = of.indexOf(part, at + 1)) {
      const [before, after] = [of[at - 1], of[at + part.length]]
      if ((!isWord(part[0]) || !isWord(before)) && (isOpen || !isWord(part.at(-1)) || !isWord(after))) return true
    }
    return false
  })
}

test('R96, D5: the same hits as substring search over random Chinese and English texts, two characters of Chinese with them', async () => {
  const { database, begin } = await world()
  let round = 0
  await fc.assert(fc.asyncProperty(fc.array(phrase, { minLength: 1, maxLength: 25 }), fc.array(phrase, { maxLength: 4 }), fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 2, max: 6 })), { minLength: 3, maxLength: 6 }), async (texts, others, cuts) => {
    round += 1
    const ids: string[] = []
    for (const [at, text] of texts.entries()) ids.push(await begin(`s${round}-${at}`, [said(text)]))
    const stretches = cuts.map(([text, from, length]) => { const one = texts[text % texts.length] ?? ''; return one.slice(from % one.length, (from % one.length) + length) })
    for (const query of [...stretches, ...others]) {
      const found = (await hits(database, query)).filter((hit) => hit.startsWith(`s${round}-`)).sort()
      expect(found, query).toEqual(ids.filter((_, at) => holds(texts[at] ?? '', query)).map((id) => `${id}/2`).sort())
    }
  }), { numRuns: 25 })
})

describe('R96: where it looks', () => {
  test('in this project or in all, newest first; deleted and rolled back ones are marked', async () => {
    const { database, here, other, begin } = await world()
    const first = await begin('a', [...turnBegun('t', '时间线'), turnEnded('t'), said('时间线 again'), answered('The 时间线 shows all.')])
    await begin('b', [said('the 时间线 of another')], other.id)
    await database.events.append(first, [{ type: 'rolled-back', rollbackId: asId('r'), scope: 'conversation', hidden: { fromSeq: 5, toSeq: 6 }, paths: [], failed: [] }, { type: 'session-deleted' }])
    expect(await hits(database, '时间线', here.id)).toEqual(['a/6', 'a/5', 'a/2'])
    expect([...(await hits(database, '时间线'))].sort()).toEqual(['a/2', 'a/5', 'a/6', 'b/2'])
    const { found } = await database.search.find({ query: '间线', workspaceId: here.id, limit: 2 })
    expect(found).toMatchObject([{ by: 'agent', isRolledBack: true, isDeleted: true, title: 'a', project: 'project', root: '/home/me/project' }, { by: 'user', isRolledBack: true }])
    await database.events.append(first, [{ type: 'rollback-undone', rollbackId: asId('r2'), undoneId: asId('r') }, { type: 'session-restored' }])
    while (!(await database.search.catchUp())) continue
    expect((await database.search.find({ query: '间线', workspaceId: here.id, limit: 2 }))).toMatchObject({ found: [{ isRolledBack: false, isDeleted: false }, { isRolledBack: false }], hasMore: true })
  })

  test('what a fork took over is found once, in its origin', async () => {
    const { database, here, begin } = await world()
    const origin = await begin('a', [...turnBegun('t', '原来的消息'), turnEnded('t')])
    await database.forks.fork({ sessionId: asId('fork'), from: { sessionId: origin, seq: 4 }, workspaceId: here.id, title: 'a', level: 'writes', tail: [] })
    await database.events.append(asId('fork'), turnBegun('t2', '另外的消息'))
    expect(await hits(database, '消息')).toEqual(['fork/5', 'a/2'])
  })

  test('the index is no part of the record: it lies beside, is closed to others, and holds no text', async () => {
    const { dataDir, database, begin } = await world()
    await begin('a', [said('一个秘密的词 hunter2secret')])
    expect(await hits(database, 'hunter2')).toEqual(['a/2'])
    const file = path.join(dataDir, 'cache.db')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Buffer.concat([readFileSync(file), readFileSync(`${file}-wal`)]).includes('一个秘密的词')).toBe(false)
  })

  test('the one command makes it again; a damaged or missing one is made again by itself', async () => {
    const { dataDir, database, begin } = await world()
    await begin('a', [said('重建索引')])
    expect(await hits(database, '重建')).toEqual(['a/2'])
    await database.rebuildSessions()
    expect(await database.search.find({ query: '重建', workspaceId: null, limit: 10 })).toEqual({ found: [], hasMore: false })
    expect(await hits(database, '重建')).toEqual(['a/2'])
    await database.close()
    writeFileSync(path.join(dataDir, 'cache.db'), 'no database')
    expect(await hits((await world(dataDir)).database, '重建')).toEqual(['a/2'])
  })

  test('two processes fill it together and each message is in it once', async () => {
    const { dataDir, database, begin } = await world()
    for (let at = 0; at < 5; at += 1) await begin(`s${at}`, Array.from({ length: 300 }, (_, index) => said(`消息 ${index}`)))
    const second = await openIn(dataDir)
    await Promise.all([hits(database, '消息'), hits(second, '消息')])
    expect(new Set(await hits(second, '299')).size).toBe(5)
    const raw = rawOpen(path.join(dataDir, 'cache.db'), true)
    expect(raw.prepare('SELECT count(*) AS count FROM said_message').get()).toEqual({ count: 1500 })
    raw.close()
  })

  test('a long catching up keeps nobody waiting: a message is stored between two parts of it', async () => {
    const { database, begin } = await world()
    await begin('a', Array.from({ length: 2000 }, (_, at) => said(`第 ${at} 条消息`)))
    expect(await database.search.catchUp()).toBe(false)
    await database.events.append(asId('a'), [said('最后一条')])
    expect(await hits(database, '最后')).toEqual(['a/2002'])
  })
})
