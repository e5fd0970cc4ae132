import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeSkillSource } from '../../../src/main/adapters/skills/skillSource'
import type { SkillSource } from '../../../src/main/core/ports/skillSource'
import { makeSkills, type Skills } from '../../../src/main/services/skills'
import { openIn, scratchFolder } from '../../support/scratchDatabase'

const nowMs = new Date(2026, 10, 15, 12).getTime()

interface World {
  readonly skills: Skills
  readonly put: (origin: 'app' | 'user', at: string, text: string) => void
  /** What the watcher would tell. */
  readonly touched: () => void
  readonly restart: () => Skills
  readonly at: (ms: number) => void
}

const md = (name: string, description = 'd', more = '', body = 'B'): string => `---\nname: ${name}\ndescription: ${description}\n${more}---\n${body}\n`

async function world(files: Readonly<Record<string, string>> = {}): Promise<World> {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-skills-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database = await openIn(scratchFolder())
  let changed = (): void => undefined
  let clockMs = nowMs
  const source: SkillSource = { ...makeSkillSource(() => undefined), watch: (_, tell) => ((changed = tell), () => { changed = () => undefined }) }
  const put = (origin: 'app' | 'user', at: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, origin, at)), { recursive: true })
    writeFileSync(path.join(folder, origin, at), text)
  }
  for (const [at, text] of Object.entries(files)) put(at.startsWith('app/') ? 'app' : 'user', at.replace(/^(app|user)\//, ''), text)
  const restart = () => makeSkills({ source, record: database.skills, folders: [{ origin: 'app', folder: path.join(folder, 'app') }, { origin: 'user', folder: path.join(folder, 'user') }], clock: { nowMs: () => clockMs } })
  return { skills: restart(), put, touched: () => changed(), restart, at: (ms) => void (clockMs = ms) }
}

const changedOnce = (skills: Skills) => new Promise<void>((resolve) => {
  const stop = skills.onChange(() => {
    stop()
    resolve()
  })
})

test('R56: the page has every skill with its origin; the hidden one names what is used instead; a broken file is a fault beside them', async () => {
  const { skills } = await world({ 'app/review/SKILL.md': md('review', 'of the app'), 'user/mine/SKILL.md': md('review', 'mine'), 'user/broken/SKILL.md': 'x', 'user/other/SKILL.md': md('other') })
  const page = await skills.page()
  expect(page.rows.map(({ skill, hiddenBy, index, isOn }) => [skill.origin, skill.name, hiddenBy?.path ?? null, index.fate, isOn])).toEqual([['app', 'review', 'mine/SKILL.md', 'hidden', true], ['user', 'other', null, 'whole', true], ['user', 'review', null, 'whole', true]])
  expect(page.faults.map(({ path: at, line, say }) => [at, line, say.code])).toEqual([['broken/SKILL.md', 1, 'skill.no-frontmatter']])
  expect([page.indexBytes, path.basename(page.folder), Object.keys(page.rows[0]?.skill ?? {}).filter((key) => key === 'body' || key === 'template')]).toEqual([skills.index().bytes, 'user', []])
})

test('R57: the index is there at once, empty, and filled when the folders were read', async () => {
  const { skills } = await world({ 'user/a/SKILL.md': md('a', 'does a') })
  expect(skills.index().text).toBe('')
  await skills.ready()
  expect(skills.index().text).toContain('\n- a: does a')
})

test('R56: a switch is kept over a restart; what is off is not in the index, not loaded, and hides no other', async () => {
  const { skills, restart } = await world({ 'app/a/SKILL.md': md('a', 'far'), 'user/a/SKILL.md': md('a', 'near') })
  const near = { origin: 'user', path: 'a/SKILL.md' } as const
  await skills.ready()
  const told = changedOnce(skills)
  expect(await skills.switch(near, false)).toEqual({ ok: true, value: null })
  await told
  const again = restart()
  for (const one of [skills, again]) {
    expect((await one.page()).rows.map(({ isOn, hiddenBy, index }) => [isOn, hiddenBy, index.fate])).toEqual([[true, null, 'whole'], [false, { origin: 'app', path: 'a/SKILL.md', name: 'a', version: null }, 'off']])
    expect(one.index().text).toContain('- a: far')
    expect(await one.load('a', {})).toMatchObject({ ok: true, value: { skill: { origin: 'app' } } })
    expect(await one.chosen([{ ...near, inputs: {} }])).toMatchObject({ ok: false, fault: { code: 'skill.off' } })
  }
  await skills.switch({ origin: 'app', path: 'a/SKILL.md' }, false)
  expect(await skills.load('a', {})).toEqual({ ok: false, fault: { code: 'skill.off', values: { name: 'a' } } })
  expect(await skills.switch({ origin: 'user', path: 'gone/SKILL.md' }, true)).toMatchObject({ ok: false, fault: { code: 'skill.gone' } })
})

test('R58: a name is loaded with its inputs; a fault names what there is', async () => {
  const { skills } = await world({ 'user/a/SKILL.md': md('a', 'd', 'allowed-tools: Read\nprompt: "for {{n}}"\ninputs:\n  n: number\noutput-schema:\n  type: object\n'), 'user/b/SKILL.md': md('b') })
  expect(await skills.load(' a ', { n: '3' })).toMatchObject({ ok: true, value: { skill: { name: 'a' }, inputs: { n: 3 }, tools: [{ tool: 'read_file', programs: null }, { tool: 'list_files', programs: null }], outputSchema: { type: 'object' } } })
  expect(await skills.load('a', {})).toMatchObject({ ok: false, fault: { code: 'skill.inputs-missing', values: { names: ['n'] } } })
  expect(await skills.load('c', {})).toEqual({ ok: false, fault: { code: 'skill.unknown', values: { name: 'c', names: ['a', 'b'] } } })
  expect(await (await world()).skills.load('c', {})).toMatchObject({ ok: false, fault: { code: 'skill.none' } })
})

test('R58: what the person chose is made ready in order, or none of it', async () => {
  const { skills } = await world({ 'user/a/SKILL.md': md('a', 'd', 'inputs:\n  n: number\n'), 'user/b/SKILL.md': md('b') })
  const a = { origin: 'user', path: 'a/SKILL.md' } as const
  const b = { origin: 'user', path: 'b/SKILL.md' } as const
  const loaded = await skills.chosen([{ ...b, inputs: {} }, { ...a, inputs: { n: 1 } }])
  expect(loaded.ok && loaded.value.map(({ skill }) => skill.name)).toEqual(['b', 'a'])
  expect(await skills.chosen([{ ...b, inputs: {} }, { ...a, inputs: {} }])).toMatchObject({ ok: false, fault: { code: 'skill.inputs-missing' } })
  expect(await skills.chosen([])).toEqual({ ok: true, value: [] })
  expect((await skills.page()).rows.map(({ skill, usesThisMonth }) => [skill.name, usesThisMonth])).toEqual([['a', 1], ['b', 1]])
})

test('uses are counted by the month and remembered, by file', async () => {
  const { skills, restart, at } = await world({ 'user/a/SKILL.md': md('a') })
  at(new Date(2026, 9, 31, 23).getTime())
  await skills.load('a', {})
  at(nowMs)
  await skills.load('a', {})
  await skills.load('a', {})
  expect((await restart().page()).rows.map(({ lastUsedAtMs, usesThisMonth }) => [lastUsedAtMs, usesThisMonth])).toEqual([[nowMs, 2]])
})

test('R56: a changed, new or mended file is there after the watcher tells, and after a reload', async () => {
  const { skills, put, touched } = await world({ 'user/a/SKILL.md': 'broken' })
  expect((await skills.page()).rows).toEqual([])
  put('user', 'a/SKILL.md', md('a', 'mended'))
  const told = changedOnce(skills)
  touched()
  await told
  expect(skills.index().text).toContain('- a: mended')
  put('user', 'b/SKILL.md', md('b'))
  expect((await skills.reload()).rows.map(({ skill }) => skill.name)).toEqual(['a', 'b'])
  skills.close()
})

test('R56: changes while the folders are read are not missed', async () => {
  const { skills, put } = await world()
  await skills.ready()
  const first = skills.reload()
  put('user', 'late/SKILL.md', md('late'))
  const second = skills.reload()
  expect((await second).rows.map(({ skill }) => skill.name)).toEqual(['late'])
  expect((await first).rows).toEqual((await second).rows)
})

test('R56: a file is shown as it is, also a broken one, and no other file', async () => {
  const { skills, put } = await world({ 'user/a/SKILL.md': md('a'), 'user/broken/SKILL.md': 'broken' })
  put('user', 'a/other.md', 'secret')
  expect(await skills.text({ origin: 'user', path: 'a/SKILL.md' })).toMatchObject({ ok: true, value: { text: md('a'), skill: { name: 'a', body: 'B\n' } } })
  expect(await skills.text({ origin: 'user', path: 'broken/SKILL.md' })).toEqual({ ok: true, value: { text: 'broken', skill: null } })
  for (const at of ['a/other.md', '../../etc/passwd', 'nowhere/SKILL.md']) expect(await skills.text({ origin: 'user', path: at })).toEqual({ ok: false, fault: { code: 'skill.gone', values: { path: at } } })
})

test('R56: a name that only looks like another skill’s is said, and both are listed', async () => {
  const { skills } = await world({ 'app/review/SKILL.md': md('review'), 'user/a/SKILL.md': md('rеview'), 'user/b/SKILL.md': md('Review'), 'user/c/SKILL.md': md('ｒｅｖｉｅｗ'), 'user/d/SKILL.md': md('review'), 'user/e/SKILL.md': md('reviews') })
  const { rows, faults } = await skills.page()
  expect(rows).toHaveLength(6)
  expect(faults.filter(({ say }) => say.code === 'skill.looks-like').map(({ path: at, isFatal, say }) => [at, isFatal, say.values])).toEqual([
    ['b/SKILL.md', false, { name: 'Review', other: 'review' }], ['a/SKILL.md', false, { name: 'rеview', other: 'review' }], ['c/SKILL.md', false, { name: 'ｒｅｖｉｅｗ', other: 'review' }],
  ])
  await skills.reload()
  expect((await skills.page()).faults).toHaveLength(faults.length)
})
