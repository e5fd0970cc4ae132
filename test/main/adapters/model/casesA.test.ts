import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assembleStep, type Assembled } from '../../../lab/assemble'
import { httpAnswer, rawStream, type Spoil } from '../../../support/fakeModelServer'

// R17–R21: the recorded streams of test/cases/A, each through the real HTTP layer, whole, byte by byte, and cut.

const folder = resolve(import.meta.dirname, '../../../cases/A')
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.sse') ? [file.slice(0, -4)] : []))

interface Expected {
  readonly status: string
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: unknown }[]
  readonly execute: boolean
}

function expected(name: string): Expected {
  return JSON.parse(readFileSync(resolve(folder, `${name}.expect.json`), 'utf8')) as Expected
}

function cutsOf(name: string): readonly number[] | undefined {
  const file = resolve(folder, `${name}.cuts`)
  return existsSync(file) ? readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).map(Number) : undefined
}

async function read(name: string, spoil: Spoil): Promise<Assembled> {
  return assembleStep(rawStream(readFileSync(resolve(folder, `${name}.sse`)), spoil))
}

function compare(got: Assembled, name: string): void {
  const { status, text = '', calls = [], execute } = expected(name)
  expect({ status: got.status, text: got.text, calls: got.calls, execute: got.execute }).toEqual({ status, text, calls, execute })
}

describe.each(names)('case %s', (name) => {
  test('whole', async () => compare(await read(name, { cuts: [] }), name))
  test('byte by byte', async () => compare(await read(name, { bytewise: true }), name))
  test('cut at random points', async () => compare(await read(name, {}), name))
  const cuts = cutsOf(name)
  if (cuts) test('cut inside its characters', async () => compare(await read(name, { cuts }), name))
})

describe('what the cases ask beside the result', () => {
  test('a01, a16, a17: a connection that ended early is said to be that, not a token limit', async () => {
    for (const name of ['a01', 'a16', 'a17']) {
      const got = await read(name, {})
      expect(got.error).toBe('The connection ended before the answer was complete. The text so far is kept; nothing incomplete was run. Send again to retry.')
    }
  })

  test('a08: a stop with nothing in it says that the model returned nothing', async () => {
    expect((await read('a08', {})).error).toBe('The model returned nothing. Send again to retry.')
    expect((await read('a08', {})).usage).toEqual({ inputTokens: 900, outputTokens: 0, estimated: false })
  })

  test('a15, a31: a repair is shown', async () => {
    expect((await read('a15', {})).repairs).toEqual(['backslash-n between two parts was read as a line break'])
    expect((await read('a31', {})).repairs).toEqual(['line breaks and tabs inside a text were escaped; a comma before a closing bracket was taken out'])
  })

  test('a27: status 200 with an empty body is an error, and a retry is offered', async () => {
    const [answer] = JSON.parse(readFileSync(resolve(folder, 'a27.http.json'), 'utf8')) as { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }[]
    if (!answer) throw new Error('a27 holds no answer')
    const got = await assembleStep(httpAnswer(answer.status, answer.body, answer.headers))
    expect(got).toMatchObject({ status: 'error', text: '', calls: [], execute: false, error: expect.stringMatching(/sent nothing at all \(200\)\. Send again to retry\.$/) as string })
  })
})
