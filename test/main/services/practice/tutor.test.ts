import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile as readText, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { editFile } from '../../../../src/main/core/tools/builtins/editFile'
import { readFile } from '../../../../src/main/core/tools/builtins/readFile'
import { runCommand } from '../../../../src/main/core/tools/builtins/runCommand'
import { searchText } from '../../../../src/main/core/tools/builtins/searchText'
import { practiceScript, type StepName } from '../../../../src/main/services/practice/script'
import { answerAsTutor, type TutorReply } from '../../../../src/main/services/practice/tutor'
import { said, type Said } from '../../../../src/shared/domain/result'
import { say, type Locale } from '../../../../src/shared/words/say'

// R108: a practice model walks a sample project through search, approval, command, rollback, and says that it is a script.

const resources = resolve(import.meta.dirname, '../../../../resources/practice')
const script = practiceScript(JSON.parse(readFileSync(resolve(resources, 'script.json'), 'utf8')))
const tools = [...new Set(Object.values(script.steps).map((step) => step.tool))].map((name) => ({ type: 'function', function: { name } }))

type Message = Readonly<Record<string, unknown>>
const user = (content: string): Message => ({ role: 'user', content })
const note: Message = user(say('en', said('model.note', { fact: 'x' })))

/** A talk that goes on: results are given by step, in the order of the calls. */
class Talk {
  readonly messages: Message[] = [{ role: 'system', content: 'You are.' }]
  private readonly locale: Locale
  private readonly offered: readonly unknown[]
  last: TutorReply = { text: '', call: null }

  constructor(locale: Locale = 'en', offered: readonly unknown[] = tools) {
    this.locale = locale
    this.offered = offered
  }

  ask(text: string): TutorReply {
    this.messages.push(user(text))
    return this.next()
  }

  result(text: string | Said): TutorReply {
    this.messages.push({ role: 'tool', tool_call_id: this.last.call?.id, content: typeof text === 'string' ? text : say('en', text) })
    return this.next()
  }

  next(): TutorReply {
    this.last = answerAsTutor({ model: 'm', messages: this.messages, tools: this.offered }, script, this.locale)
    const { text, call } = this.last
    this.messages.push({ role: 'assistant', content: text, ...(call ? { tool_calls: [{ id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }] } : {}) })
    return this.last
  }

  get step(): string | undefined {
    return /^practice-([a-z]+)-/.exec(this.last.call?.id ?? '')?.[1]
  }
}

const good: Readonly<Record<Exclude<StepName, 'check'>, string | Said>> = {
  search: 'Found 2 hits.\nsrc/price.js:2:export function totalOf(order) {',
  read: 'src/price.js, lines 1 to 8 of 8\n5\t    total += line.price',
  edit: said('file.edited', { path: 'src/price.js', count: 1 }),
  run: 'Exit code 0.\nok     an empty order costs nothing\n4 of 4 checks passed',
}
const fixed = '5\t    total += line.price * line.count'

/** Walks up to the call of a step. */
function upTo(step: StepName, locale: Locale = 'en', offered: readonly unknown[] = tools): Talk {
  const talk = new Talk(locale, offered)
  talk.ask('Find the fault and mend it.')
  for (const one of ['search', 'read', 'edit', 'run'] as const) {
    if (one === step) break
    talk.result(good[one])
  }
  return talk
}

function finished(): Talk {
  const talk = upTo('run')
  talk.result(good.run)
  return talk
}

describe('the walk', () => {
  test('search, read, edit, run, then the way back with the names of the buttons', () => {
    const talk = new Talk()
    const first = talk.ask('hello')
    expect(first.text).toMatch(/not a model/)
    expect(first.call).toEqual({ id: 'practice-search-1', name: 'search_text', args: script.steps.search.args })
    expect(talk.result(good.search).call).toMatchObject({ id: 'practice-read-2', name: 'read_file' })
    const edit = talk.result(good.read)
    expect(edit.call).toMatchObject({ id: 'practice-edit-3', name: 'edit_file' })
    expect(edit.text).toContain('**Allow once** writes it, **Deny** does not')
    expect(talk.result(good.edit).call).toEqual({ id: 'practice-run-4', name: 'run_command', args: { command: 'node test.js' } })
    const end = talk.result(good.run)
    expect(end.call).toBeNull()
    for (const name of ['Timeline', 'Undo only this call', 'Roll back to here', 'Undo rollback']) expect(end.text).toContain(`**${name}**`)
  })

  test('in Chinese every sentence is Chinese and names the Chinese buttons', () => {
    const talk = upTo('run', 'zh-CN')
    const texts = [...talk.messages.filter((message) => message['role'] === 'assistant').map((message) => String(message['content'])), talk.result(good.run).text]
    expect(texts).toHaveLength(5)
    for (const text of texts) expect(text).toMatch(/[\u4e00-\u9fff].*。/s)
    expect(texts.join('')).toMatch(/允许一次.*撤销回滚/s)
  })

  test('no placeholder is ever left in a sentence', () => {
    for (const locale of ['en', 'zh-CN'] as const) {
      for (const step of ['search', 'read', 'edit', 'run'] as const) {
        for (const result of [good[step], said('tool.denied'), said('tool.denied-policy', { reason: 'x' }), said('tool.skipped'), said('tool.cancelled'), 'strange', 'node: not found']) {
          const talk = upTo(step, locale)
          expect(talk.result(result).text).not.toMatch(/\{\w+\}/)
          expect(talk.ask('what?').text).not.toMatch(/\{\w+\}/)
        }
      }
    }
  })
})

describe('what the person does otherwise', () => {
  test.each([
    ['edit', said('tool.denied'), /nothing was written.*“Denied by the user\.”/s],
    ['edit', said('tool.denied-reason', { reason: 'not like that' }), /“Denied by the user: not like that”/],
    ['run', said('tool.denied'), /nothing was run/],
    ['search', said('tool.denied'), /read nothing/],
    ['edit', said('tool.denied-policy', { reason: 'no.' }), /denied by policy/],
    ['edit', said('tool.skipped'), /skipped/],
    ['run', said('tool.cancelled'), /stopped me/],
    ['run', said('tool.interrupted'), /stopped me/],
    ['edit', said('path.stale', { path: 'src/price.js' }), /did not work/],
    ['run', 'Exit code 1.\n3 of 4 checks passed', /do not all pass/],
    ['run', 'Exit code 127.\nbash: line 1: node: command not found', /`node` was not found.*Undo rollback/s],
    ['search', 'No hits.', /not the practice project.*Start practice/s],
    ['read', fixed, /mended already/],
  ] as const)('%s answered with %j: explained, and the turn ends', (step, result, words) => {
    const talk = upTo(step)
    const reply = talk.result(result)
    expect(reply.text).toMatch(words)
    expect(reply.call).toBeNull()
  })

  test.each(['go on', 'OK, continue', 'try again', '继续', '好的，再试'])('after a denial, %s proposes it again; before a change the file is read once more', (words) => {
    const talk = upTo('edit')
    talk.result(said('tool.denied'))
    talk.ask(words)
    expect(talk.step).toBe('read')
    talk.result(good.read)
    expect(talk.step).toBe('edit')
    const run = upTo('run')
    run.result(said('tool.denied'))
    run.ask(words)
    expect(run.step).toBe('run')
  })

  test.each(['again', 'Restart', '再来', '“重来”'])('%s starts over at any time', (words) => {
    for (const talk of [finished(), upTo('edit')]) {
      if (talk.last.call) talk.result(said('tool.denied'))
      talk.ask(words)
      expect(talk.step).toBe('search')
    }
  })

  test('ids of calls stay different when the walk starts over', () => {
    const talk = finished()
    expect(talk.ask('again').call?.id).toBe('practice-search-5')
  })

  test('anything else in the middle of the walk: it says what it is and how to connect a model', () => {
    const talk = upTo('edit')
    talk.result(said('tool.denied'))
    const reply = talk.ask('Write me a poem')
    expect(reply.call).toBeNull()
    expect(reply.text).toMatch(/scripted tutor.*go on.*\*\*Models\*\*/s)
  })

  test.each(['Who are you?', 'how do I connect a real model', '你是谁'])('%s is answered plainly', (words) => {
    const reply = finished().ask(words)
    expect(reply.call).toBeNull()
    expect(reply.text).toMatch(/not a model.*Models/s)
  })

  test('after the walk it looks at the file again, and sees whether the rollback was made', () => {
    const talk = finished()
    talk.messages.push(note)
    talk.ask('done')
    expect(talk.last.call).toMatchObject({ name: 'read_file' })
    expect(talk.result(good.read).text).toMatch(/your rollback worked/)
    talk.ask('and now?')
    expect(talk.result(fixed).text).toMatch(/The fix is still in/)
    expect(talk.last.call).toBeNull()
  })

  test('a conversation that was rolled back is simply shorter', () => {
    const talk = finished()
    const at = talk.messages.findIndex((message) => message['role'] === 'tool' && message['tool_call_id'] === 'practice-read-2')
    talk.messages.splice(at + 1)
    talk.ask('go on')
    expect(talk.step).toBe('read')
  })

  test('a session that only reads is told from a fault', () => {
    const talk = upTo('edit', 'en', tools.filter((tool) => tool.function.name !== 'edit_file'))
    expect(talk.last).toEqual({ text: expect.stringContaining('the tool `edit_file` is not offered') as string, call: null })
  })

  test('a request that is no request gets a first answer', () => {
    expect(answerAsTutor(null, script, 'en').call?.name).toBe('search_text')
  })
})

describe('the sample project', () => {
  test('every call of the script fits the tool it is for', () => {
    const byName = new Map([searchText, readFile, editFile, runCommand].map((tool) => [tool.name, tool]))
    for (const step of Object.values(script.steps)) expect(byName.get(step.tool)?.params.safeParse(step.args).success).toBe(true)
  })

  const run = promisify(execFile)
  test('fails its checks as it is shipped, and passes them after the proposed edit', async () => {
    const folder = await mkdtemp(resolve(tmpdir(), 'practice-'))
    try {
      await cp(resolve(resources, 'project'), folder, { recursive: true })
      const test = () => run(process.execPath, ['test.js'], { cwd: folder }).then((done) => done.stdout, (error: { readonly stdout: string }) => error.stdout)
      expect(await test()).toMatch(/2 of 4 checks passed/)
      const file = resolve(folder, String(script.steps.edit.args['path']))
      const [edit] = script.steps.edit.args['edits'] as readonly { readonly old_text: string; readonly new_text: string }[]
      const before = await readText(file, 'utf8')
      expect(before.split(edit?.old_text ?? '')).toHaveLength(2)
      expect(before).toContain(script.steps.read.worked)
      const after = before.replace(edit?.old_text ?? '', edit?.new_text ?? '')
      expect(after).toContain(script.steps.check.alreadyDone)
      await writeFile(file, after)
      expect(await test()).toContain(script.steps.run.worked)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
