import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeSkillSource } from '../../../../src/main/adapters/skills/skillSource'
import { usedOf } from '../../../../src/main/core/skills/choose'

const cases = path.resolve(import.meta.dirname, '../../../cases/G')
const source = makeSkillSource(() => undefined)

function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-skills-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function put(folder: string, at: string, text: string | Buffer = `---\nname: ${path.basename(path.dirname(at))}\ndescription: d\n---\nx`): void {
  mkdirSync(path.dirname(path.join(folder, at)), { recursive: true })
  writeFileSync(path.join(folder, at), text)
}

async function found(folder: string) {
  const { skills, faults } = await source.read([{ origin: 'user', folder }])
  return { skills: skills.map(({ path: at }) => at), faults: faults.map((one) => [one.path, one.say.code, one.line, one.isFatal]) }
}

test('R56 (case g01): all of one name are there with their origin, one is used, and the order is not the disk\'s', async () => {
  const user = scratch()
  put(user, 'deploy/SKILL.md', '---\nname: deploy\ndescription: third\n---\nC')
  const folders = [{ origin: 'user', folder: user }, { origin: 'project', folder: path.join(cases, 'g01') }] as const
  const { skills, faults } = await source.read(folders)
  expect(skills.map(({ origin, path: at, description }) => [origin, at, description])).toEqual([['user', 'deploy/SKILL.md', 'third'], ['project', 'one/SKILL.md', 'first'], ['project', 'two/SKILL.md', 'second']])
  expect([faults, usedOf(skills).get('deploy')?.description, usedOf([...skills].reverse()).get('deploy')?.description]).toEqual([[], 'first', 'first'])
  expect((await source.read([...folders].reverse())).skills).toEqual(skills)
})

test('R56 (case g05): deeper folders and other letters are found; a link out is not followed but said; a loop does not hang', async () => {
  const folder = path.join(scratch(), 'skills')
  const outside = scratch()
  cpSync(path.join(cases, 'g05'), folder, { recursive: true })
  put(outside, 'SKILL.md', '---\nname: outside\ndescription: d\n---\nx')
  symlinkSync(outside, path.join(folder, 'linked'))
  symlinkSync(folder, path.join(folder, 'design', 'loop'))
  symlinkSync('self', path.join(folder, 'self'))
  const { skills, faults } = await found(folder)
  expect(skills).toEqual(['design/ios/SKILL.md', 'lower/skill.md', '中文/SKILL.md'])
  expect(faults).toEqual([['broken/SKILL.md', 'skill.no-frontmatter', 1, true], ['linked', 'skill.link-out', 0, false], ['list/SKILL.md', 'skill.not-a-map', 2, true], ['self', 'skill.link-nowhere', 0, false]])
})

test('R56 (case g06): a BOM, CRLF and rules in the body', async () => {
  const { skills, faults } = await source.read([{ origin: 'user', folder: path.join(cases, 'g06') }])
  expect([skills.map(({ name, description, body }) => [name, description, body]), faults]).toEqual([[['bom-skill', 'starts with a BOM', 'Part one\n\n---\n\nPart two\n---\nend\n']], []])
})

test('R56: a link that stays inside is followed once, and the folder keeps its own name', async () => {
  const folder = scratch()
  put(folder, 'b/SKILL.md')
  put(folder, '.store/hidden/SKILL.md')
  symlinkSync(path.join(folder, 'b'), path.join(folder, 'a'))
  symlinkSync('.store/hidden', path.join(folder, 'shown'))
  mkdirSync(path.join(folder, 'c'))
  symlinkSync('../b/SKILL.md', path.join(folder, 'c', 'SKILL.md'))
  expect(await found(folder)).toEqual({ skills: ['b/SKILL.md', 'c/SKILL.md', 'shown/SKILL.md'], faults: [] })
})

test('R56: a SKILL.md that is a link out is not read', async () => {
  const folder = scratch()
  const secret = path.join(scratch(), 'secret.md')
  writeFileSync(secret, '---\nname: secret\ndescription: d\n---\nx')
  mkdirSync(path.join(folder, 'a'))
  symlinkSync(secret, path.join(folder, 'a', 'SKILL.md'))
  expect(await found(folder)).toEqual({ skills: [], faults: [['a/SKILL.md', 'skill.link-out', 0, false]] })
  expect(await source.text({ origin: 'user', folder }, 'a/SKILL.md')).toMatchObject({ ok: false, fault: { code: 'skill.gone' } })
})

test('R56: too deep, and inside of another skill, is said', async () => {
  const folder = scratch()
  put(folder, 'a/b/c/d/e/f/g/SKILL.md')
  put(folder, '1/2/3/4/5/6/7/8/9/SKILL.md')
  put(folder, 'writer/SKILL.md')
  put(folder, 'writer/assets/template/SKILL.md')
  put(folder, 'writer/node_modules/x/SKILL.md')
  expect(await found(folder)).toEqual({ skills: ['a/b/c/d/e/f/g/SKILL.md', 'writer/SKILL.md'], faults: [['1/2/3/4/5/6/7/8', 'skill.too-deep', 0, false], ['writer/assets/template/SKILL.md', 'skill.inside-another', 0, false]] })
})

test('R56: what is no text, too large, empty or no file is named, and the others load', async () => {
  const folder = scratch()
  put(folder, 'good/SKILL.md')
  put(folder, 'binary/SKILL.md', Buffer.from('---\nname: a\n\u0000\n---\n'))
  put(folder, 'latin/SKILL.md', Buffer.from('---\nname: caf\u00e9\ndescription: d\n---\n', 'latin1'))
  put(folder, 'utf16/SKILL.md', Buffer.from('\ufeff---\nname: a\n', 'utf16le'))
  put(folder, 'bom-latin/SKILL.md', Buffer.concat([Buffer.from('\ufeff---\nname: a\n', 'utf8'), Buffer.from([0xff])]))
  put(folder, 'large/SKILL.md', `---\nname: large\ndescription: d\n---\n${'x'.repeat(1024 * 1024)}`)
  put(folder, 'empty/SKILL.md', '')
  mkdirSync(path.join(folder, 'folder/SKILL.md'), { recursive: true })
  expect(await found(folder)).toEqual({
    skills: ['good/SKILL.md'],
    faults: [['binary/SKILL.md', 'skill.binary', 3, true], ['bom-latin/SKILL.md', 'skill.no-utf8', 3, true], ['empty/SKILL.md', 'skill.empty', 0, true], ['large/SKILL.md', 'skill.too-large', 0, true], ['latin/SKILL.md', 'skill.no-utf8', 2, true], ['utf16/SKILL.md', 'skill.binary', 1, true]],
  })
})

test.skipIf(process.getuid?.() === 0)('R56: what the disk refuses is a fault', async () => {
  const folder = scratch()
  put(folder, 'closed/SKILL.md')
  put(folder, 'open/SKILL.md')
  chmodSync(path.join(folder, 'closed/SKILL.md'), 0)
  expect(await found(folder)).toEqual({ skills: ['open/SKILL.md'], faults: [['closed/SKILL.md', 'skill.cannot-read', 0, true]] })
})

test('R56: a folder that is not there, or a file in its place, holds none', async () => {
  const folder = scratch()
  writeFileSync(path.join(folder, 'file'), '')
  expect([await found(path.join(folder, 'nowhere')), await found(path.join(folder, 'file'))]).toEqual([{ skills: [], faults: [] }, { skills: [], faults: [] }])
})

test('a file is given as it is, also a broken one; nothing outside is', async () => {
  const folder = path.join(scratch(), 'skills')
  put(folder, 'a/SKILL.md', '\ufeffbroken\r\n')
  writeFileSync(path.join(folder, '../outside.md'), 'secret')
  expect(await source.text({ origin: 'user', folder }, 'a/SKILL.md')).toEqual({ ok: true, value: 'broken\r\n' })
  expect(await source.text({ origin: 'user', folder }, '../outside.md')).toMatchObject({ ok: false, fault: { code: 'skill.gone' } })
})

test('R60: the three handbooks load without a fault, are texts of some length, and fit into a request', async () => {
  const { skills, faults } = await source.read([{ origin: 'app', folder: path.resolve(import.meta.dirname, '../../../../resources/skills') }])
  expect(faults).toEqual([])
  expect(skills.map(({ name }) => name)).toEqual(['code-review', 'database-tuning', 'web-access'])
  expect(skills.filter(({ bodyBytes }) => bodyBytes < 3000 || bodyBytes > 8192)).toEqual([])
  expect(skills.filter(({ triggers, version }) => version === null || !triggers.some((one) => /\p{Script=Han}/u.test(one)))).toEqual([])
  const [review] = skills
  expect(review?.outputSchema).toMatchObject({ properties: { findings: { items: { properties: { severity: { enum: ['critical', 'warning', 'info'] } } } } } })
  expect(review?.tools).toContainEqual({ tool: 'run_command', programs: ['git'] })
})

test('R56: a change below a folder is told, once it is quiet, and not after the end', async () => {
  const folder = scratch()
  let told = 0
  let tell = (): void => undefined
  const stop = source.watch([{ origin: 'user', folder }], () => {
    told += 1
    tell()
  })
  const next = () => new Promise<void>((resolve) => { tell = resolve })
  // The watcher begins when it is ready; until it has told once, write again.
  const first = next()
  const writing = setInterval(() => put(folder, 'a/SKILL.md', String(told)), 400)
  await first
  clearInterval(writing)
  stop()
  const before = told
  put(folder, 'b/SKILL.md')
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(told).toBe(before)
})
