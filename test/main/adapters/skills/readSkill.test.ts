import { describe, expect, test } from 'vitest'
import { readSkill } from '../../../../src/main/adapters/skills/readSkill'
import { ownTools } from '../../../../src/main/adapters/skills/readTools'
import { builtinTools } from '../../../../src/main/core/tools/builtins'
import type { Skill, SkillFault } from '../../../../src/shared/domain/skill'
import { say } from '../../../../src/shared/words/say'

const place = { origin: 'user', path: 'a/SKILL.md' } as const
const read = (text: string) => readSkill(place, text)
const whole = (text: string): Skill => {
  const { skill, faults } = read(text)
  expect(faults).toEqual([])
  if (skill === null) throw new Error('no skill')
  return skill
}
const skill = (fields: string, body = 'x'): string => `---\nname: a\ndescription: d\n${fields}\n---\n${body}`
const brief = ({ say: { code }, line, column, text, isFatal }: SkillFault) => ({ code, line, column, text, isFatal })
const faultsOf = (text: string) => read(text).faults.map(brief)

describe('the open form', () => {
  test('R56: the fields of the standard, and a body that is as it was', () => {
    expect(whole('---\nname: pdf-tools\ndescription: Works with PDF files.\nlicense: MIT\ncompatibility: needs poppler\nmetadata:\n  author: ada\n  version: "1.0"\n---\n\n# PDF\n\n---\n\ntext\n')).toEqual({
      ...place, name: 'pdf-tools', description: 'Works with PDF files.', version: '1.0', triggers: [], inputs: [], tools: null, outputSchema: null, template: null, body: '\n# PDF\n\n---\n\ntext\n', bodyBytes: 18,
    })
  })

  test('R56: a BOM, CRLF, lone CR and rules in the body are no damage', () => {
    expect(whole('\ufeff---\r\nname: bom-skill\r\ndescription: starts with a BOM\r\n---\r\nPart one\r\n\r\n---\r\n\r\nPart two\r\n---\r\nend\r\n')).toMatchObject({ name: 'bom-skill', description: 'starts with a BOM', body: 'Part one\n\n---\n\nPart two\n---\nend\n' })
    expect(whole('---\rname: mac\rdescription: old\r---\rbody')).toMatchObject({ name: 'mac', body: 'body' })
    expect(whole('\n\n---  \nname: a\ndescription: d\n...\nbody')).toMatchObject({ body: 'body' })
  })

  test('R56: descriptions over several lines, numbers and dates are texts as written', () => {
    expect(whole('---\nname: a\ndescription: >-\n  one\n  two\n\n  三\n---\n').description).toBe('one two\n三')
    expect(whole('---\nname: 007\ndescription: 2024-01-02\nversion: 1.10\n---\n')).toMatchObject({ name: '007', description: '2024-01-02', version: '1.10' })
  })

  test('R56: unknown fields are let be, at the top and below', () => {
    expect(whole(skill('author: me\nhooks:\n  - run: rm\nmetadata:\n  other:\n    inputs: 5')).inputs).toEqual([])
  })

  test('R56: a text with a colon is read as it was meant, and said', () => {
    const { skill: found, faults } = read('---\nname: a\ndescription: Use when: the user says "go"\n---\nx')
    expect(found?.description).toBe('Use when: the user says "go"')
    expect(faults.map(brief)).toEqual([{ code: 'skill.colon-read', line: 3, column: 14, text: 'description: Use when: the user says "go"', isFatal: false }])
  })

  test.each([
    ['中文', []], ['a', []], ['web-access', []], ['ünï-码9', []],
    ['Upper', ['skill.name-form']], ['two words', ['skill.name-form']], ['-a', ['skill.name-form']], ['a--b', ['skill.name-form']], ['x'.repeat(65), ['skill.name-form']],
  ])('R56: the name %s loads', (name, codes) => {
    const { skill: found, faults } = read(`---\nname: ${name}\ndescription: d\n---\n`)
    expect([found?.name, faults.map((one) => one.say.code), faults.some((one) => one.isFatal)]).toEqual([name, codes, false])
  })
})

describe('what is wrong is said with its place (R56)', () => {
  test.each<[string, string, { code: string; line: number; column: number; text: string }]>([
    ['empty', '', { code: 'skill.empty', line: 0, column: 0, text: '' }],
    ['only blanks', ' \n\n', { code: 'skill.empty', line: 0, column: 0, text: '' }],
    ['no frontmatter', 'no front matter at all\n', { code: 'skill.no-frontmatter', line: 1, column: 1, text: 'no front matter at all' }],
    ['not ended', '---\nname: a\ndescription: d\n', { code: 'skill.frontmatter-open', line: 1, column: 1, text: '---' }],
    ['a list', '---\n- a\n- b\n---\nx', { code: 'skill.not-a-map', line: 2, column: 1, text: '- a' }],
    ['a text', '---\njust text\n---\nx', { code: 'skill.not-a-map', line: 2, column: 1, text: 'just text' }],
    ['nothing inside', '---\n---\nx', { code: 'skill.not-a-map', line: 2, column: 1, text: '---' }],
    ['no name', '---\ndescription: d\n---\nx', { code: 'skill.name-missing', line: 2, column: 1, text: 'description: d' }],
    ['an empty name', '---\ndescription: d\nname:\n---\nx', { code: 'skill.name-missing', line: 3, column: 6, text: 'name:' }],
    ['a name that is a list', '---\ndescription: d\nname: [a]\n---\nx', { code: 'skill.name-not-text', line: 3, column: 7, text: 'name: [a]' }],
    ['a name with what nobody sees', '---\nname: a\u200bb\ndescription: d\n---\nx', { code: 'skill.name-unseen', line: 2, column: 7, text: 'name: a\u200bb' }],
    ['a name over lines', '---\nname: "a\\nb"\ndescription: d\n---\nx', { code: 'skill.name-unseen', line: 2, column: 7, text: 'name: "a\\nb"' }],
    ['no description', '---\nname: a\n---\nx', { code: 'skill.description-missing', line: 2, column: 1, text: 'name: a' }],
    ['a description that is a map', '---\nname: a\ndescription:\n  x: y\n---\nx', { code: 'skill.description-not-text', line: 4, column: 3, text: '  x: y' }],
    ['a quote never closed', '---\nname: db-migrations\nversion: 1\ndescription: "Writes reversible migrations\n---\nx', { code: 'skill.quote-open', line: 4, column: 14, text: 'description: "Writes reversible migrations' }],
    ['a single quote never closed', "---\nname: 'a\ndescription: d\n---\nx", { code: 'skill.quote-open', line: 2, column: 7, text: "name: 'a" }],
    ['a quote closed by the next one', '---\nname: a\ndescription: "one\nother: "two"\n---\nx', { code: 'skill.quote-open', line: 3, column: 14, text: 'description: "one' }],
    ['a tab', '---\nname: a\n\tdescription: d\n---\nx', { code: 'skill.tab', line: 3, column: 1, text: '\tdescription: d' }],
    ['a key twice', '---\nname: a\ndescription: d\nname: b\n---\nx', { code: 'skill.key-twice', line: 4, column: 1, text: 'name: b' }],
    ['a reserved character', '---\nname: @a\ndescription: d\n---\nx', { code: 'skill.scalar-start', line: 2, column: 7, text: 'name: @a' }],
    ['a field moved to the right', '---\nname: a\n  description: d\n---\nx', { code: 'skill.colon', line: 2, column: 7, text: 'name: a' }],
    ['a bad escape', '---\nname: "a\\q"\ndescription: d\n---\nx', { code: 'skill.yaml', line: 2, column: 9, text: 'name: "a\\q"' }],
    ['aliases that multiply', '---\nname: a\ndescription: d\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n---\nx', { code: 'skill.aliases', line: 2, column: 1, text: 'name: a' }],
    ['an alias of nothing', '---\nname: *nobody\ndescription: d\n---\nx', { code: 'skill.aliases', line: 2, column: 1, text: 'name: *nobody' }],
    ['a bomb of brackets', `---\nname: a\ndescription: ${'['.repeat(5000)}\n---\nx`, { code: 'skill.nested', line: 2, column: 1, text: 'name: a' }],
    ['frontmatter without end in sight', `---\nname: a\ndescription: ${'d'.repeat(70_000)}\n---\nx`, { code: 'skill.frontmatter-long', line: 1, column: 1, text: '---' }],
  ])('%s', (_, text, fault) => {
    const { skill: found, faults } = read(text)
    expect([found, faults.map(brief)]).toEqual([null, [{ ...fault, isFatal: true }]])
    // In both languages, with every value filled in.
    for (const locale of ['en', 'zh-CN'] as const) expect(faults.map((one) => say(locale, one.say)).join('')).toMatch(/^[^{}]+$/)
  })

  test('everything that is missing is said at once', () => {
    expect(faultsOf('---\nlicense: MIT\n---\n').map((one) => one.code)).toEqual(['skill.name-missing', 'skill.description-missing'])
  })

  test('a long description is said and kept', () => {
    const { skill: found, faults } = read(`---\nname: a\ndescription: ${'描'.repeat(1025)}\n---\n`)
    expect([found?.description.length, faults.map((one) => [one.say.code, one.isFatal])]).toEqual([1025, [['skill.description-long', false]]])
    expect(faultsOf(`---\nname: a\ndescription: ${'👍'.repeat(1024)}\n---\n`)).toEqual([])
  })
})

describe('what a skill declares besides (R59)', () => {
  const declared = 'triggers:\n  - 慢\n  - slow\n  - slow\ninputs:\n  - name: minutes\n    type: number\n    default: 5\n  - name: target\n    description: which copy\n    default: staging\n  - name: how\n    type: choice\n    options: [one, 2]\n    default: 2\n  - name: dry\n    type: boolean\n  - name: 目标\nprompt: |\n  Load {{ target }} for {{minutes}}.\noutput-schema:\n  type: object\n  required: [p50]'

  test('R59: in metadata under countersign, or at the top; the first counts', () => {
    const inside = whole(`---\nname: a\ndescription: d\nmetadata:\n  version: 2.10\n  countersign:\n${declared.split('\n').map((line) => `    ${line}`).join('\n')}\n---\nx`)
    expect(inside).toEqual({
      ...place, name: 'a', description: 'd', version: '2.10', triggers: ['慢', 'slow'], tools: null,
      inputs: [
        { name: 'minutes', type: 'number', description: '', options: [], fallback: 5 },
        { name: 'target', type: 'text', description: 'which copy', options: [], fallback: 'staging' },
        { name: 'how', type: 'choice', description: '', options: ['one', '2'], fallback: '2' },
        { name: 'dry', type: 'boolean', description: '', options: [], fallback: null },
        { name: '目标', type: 'text', description: '', options: [], fallback: null },
      ],
      template: 'Load {{ target }} for {{minutes}}.\n', outputSchema: { type: 'object', required: ['p50'] }, body: 'x', bodyBytes: 1,
    })
    expect(whole(skill(`version: 2.10\n${declared}`))).toEqual(inside)
    expect(whole(skill('version: 1\ntriggers: top\nmetadata:\n  version: 2\n  countersign:\n    triggers: inside'))).toMatchObject({ version: '2', triggers: ['inside'] })
  })

  test('R59: inputs as a map of names, types alone or with fields', () => {
    expect(whole(skill('inputs:\n  n: number\n  t:\n    default: 0x\n  b:\n    default: true')).inputs).toMatchObject([{ name: 'n', type: 'number' }, { name: 't', type: 'text', fallback: '0x' }, { name: 'b', type: 'boolean', fallback: true }])
  })

  test.each([
    ['inputs: 5', 'skill.inputs-form', 4],
    ['inputs:\n  - name: 9a', 'skill.input-name', 5],
    ['inputs:\n  - name: __proto__', 'skill.input-name', 5],
    ['inputs:\n  - type: text', 'skill.input-name', 5],
    ['inputs:\n  - name: a\n    type: file', 'skill.input-type', 5],
    ['inputs:\n  - name: a\n    type: toString', 'skill.input-type', 5],
    ['inputs:\n  - name: a\n    type: choice', 'skill.input-options', 5],
    ['inputs:\n  - name: a\n    type: choice\n    options: [x]\n    default: y', 'skill.input-default', 5],
    ['inputs:\n  - name: a\n    type: number\n    default: five', 'skill.input-default', 5],
    ['inputs:\n  - name: a\n  - name: a', 'skill.input-twice', 6],
    ['inputs:\n  a: file', 'skill.input-form', 5],
    ['triggers:\n  - {a: b}', 'skill.triggers-form', 5],
    ['prompt: [a]', 'skill.prompt-form', 4],
    ['prompt: |\n  one\n  two {{nobody}}', 'skill.placeholder-unknown', 6],
    ['output-schema: [a]', 'skill.schema-form', 4],
    ['output-schema: "{"', 'skill.schema-form', 4],
    ['output-schema: &a\n  x: *a', 'skill.schema-form', 5],
    ['output-schema: {type: nonsense}', 'skill.schema-bad', 4],
    ['output-schema:\n  type: object\n  properties:\n    p95:\n      type: nubmer', 'skill.schema-bad', 8],
    ['output-schema:\n  type: object\n  required: p95', 'skill.schema-bad', 6],
    ['output-schema: \'{"type": "nonsense"}\'', 'skill.schema-bad', 4],
    ['allowed-tools:\n  Read: true', 'skill.tools-form', 5],
  ])('%s is passed over, said, and the skill loads', (fields, code, line) => {
    const { skill: found, faults } = read(skill(fields))
    expect([found?.name, faults.map((one) => [one.say.code, one.line, one.isFatal])]).toEqual(['a', [[code, line, false]]])
  })

  test('a schema may be written as JSON', () => {
    expect(whole(skill('output-schema: \'{"type": "array"}\'')).outputSchema).toEqual({ type: 'array' })
  })

  test('a value that is written out in place of a number of things never reaches the prototype', () => {
    const { skill: found } = read(skill('__proto__:\n  name: b\noutput-schema:\n  __proto__:\n    polluted: true'))
    expect([found?.name, ({} as Record<string, unknown>)['polluted']]).toEqual(['a', undefined])
  })
})

describe('tools that a skill may use (R59)', () => {
  const tools = (value: string) => {
    const { skill: found, faults } = read(skill(`allowed-tools: ${value}`))
    return [found?.tools?.map(({ tool, programs }) => (programs === null ? tool : `${tool}(${programs.join(' ')})`)), faults.map((one) => one.say.code)]
  }

  test.each([
    ['Read Grep, Glob', ['read_file', 'list_files', 'search_text', 'find_files'], []],
    ['[Edit, Write, WebFetch, WebSearch]', ['edit_file', 'write_file', 'fetch_url', 'search_web'], []],
    ['read_file mcp__docs__search', ['read_file', 'mcp__docs__search'], []],
    ['Bash(git:*) Bash(jq:*) Read', ['run_command(git jq)', 'read_file', 'list_files'], []],
    ['Bash(git:*), Bash', ['run_command'], []],
    ['Bash(*)', ['run_command'], []],
    ['Bash(git status)', ['run_command(git)'], ['skill.tool-words']],
    ['Bash(npm run test:*)', ['run_command(npm)'], ['skill.tool-words']],
    ['Read(src/**)', ['read_file', 'list_files'], ['skill.tool-pattern']],
    ['Nonsense Read', ['read_file', 'list_files'], ['skill.tool-unknown']],
    ['constructor', [], ['skill.tool-unknown']],
    ['""', [], []],
    ['[]', [], []],
  ])('%s', (value, expected, codes) => {
    expect(tools(value)).toEqual([expected, codes])
  })

  test('not there, or without a value: nothing is narrowed', () => {
    expect([whole(skill('license: x')).tools, whole(skill('allowed-tools:')).tools]).toEqual([null, null])
  })

  test('every tool of ours may be named', () => {
    expect(builtinTools.map(({ name }) => name).filter((name) => !ownTools.has(name))).toEqual([])
  })
})

test('R56: a file full of faults tells the first of them, and how many there are does not hold anything up', () => {
  const placeholders = Array.from({ length: 5000 }, (_, at) => `{{a${at}}}`).join('')
  const { skill: kept, faults } = read(skill(`prompt: "${placeholders}"\nallowed-tools: ${Array.from({ length: 2000 }, (_, at) => `t${at}`).join(' ')}`, '{{b}} '.repeat(150_000)))
  expect(kept?.name).toBe('a')
  expect(faults.map(({ say: { code } }) => code)).toEqual([...Array.from({ length: 50 }, () => 'skill.placeholder-unknown'), 'skill.more-faults'])
  expect(faultsOf(skill(`allowed-tools: ${Array.from({ length: 60 }, (_, at) => `t${at}`).join(' ')}`, 'x').replace('name: a\n', '')).at(-1)).toMatchObject({ code: 'skill.more-faults' })
  expect(faultsOf(skill('inputs: 5').replace('name: a\n', '')).filter(({ isFatal }) => isFatal)).toMatchObject([{ code: 'skill.name-missing' }])
})
