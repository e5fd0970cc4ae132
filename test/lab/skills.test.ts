import path from 'node:path'
import { expect, test } from 'vitest'
import { skillsLab } from './skills'

const cases = path.resolve(import.meta.dirname, '../cases/G')

async function lab(...args: readonly string[]): Promise<Record<string, unknown>[]> {
  const lines: object[] = []
  await skillsLab(args, { lines: () => [] }, (line) => lines.push(line))
  return lines as Record<string, unknown>[]
}

test('R56 R57: the lab prints index, skills and faults with file and line', async () => {
  const [g05] = await lab('--dir', path.join(cases, 'g05'))
  expect(g05).toMatchObject({
    index: expect.stringContaining('\n- 中文: 非 ASCII 名称'),
    skills: [{ name: 'ios', file: path.join(cases, 'g05/design/ios/SKILL.md'), used: true, hiddenBy: null, body: 'x\n' }, { name: 'lower' }, { name: '中文' }],
    faults: [{ file: path.join(cases, 'g05/broken/SKILL.md'), line: 1, say: 'The file does not begin with a line ---. Name and description stand at its beginning, between two such lines.' }, { file: path.join(cases, 'g05/list/SKILL.md'), line: 2 }],
  })
  expect(g05?.['bytes']).toBe(Buffer.byteLength(String(g05?.['index'])))
})

test('R56: of several folders the first is the nearest', async () => {
  const [both] = await lab('--dir', path.join(cases, 'g01'), '--dir', path.join(cases, 'g06'))
  expect(both).toMatchObject({ skills: [{ name: 'bom-skill', origin: 'user', used: true }, { origin: 'project', path: 'one/SKILL.md', used: true }, { path: 'two/SKILL.md', used: false, hiddenBy: path.join(cases, 'g01/one/SKILL.md') }], faults: [] })
})

test.each([[[]], [['--nonsense']], [['a', 'b', 'c', 'd'].flatMap((one) => ['--dir', one])]])('wrong usage is said: %j', async (args) => {
  await expect(lab(...args)).rejects.toMatchObject({ name: 'LabUsage' })
})
