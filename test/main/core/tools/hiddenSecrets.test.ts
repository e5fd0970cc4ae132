import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeRedact } from '../../../../src/main/core/policy/redaction'
import { editFile } from '../../../../src/main/core/tools/builtins/editFile'
import { readFile } from '../../../../src/main/core/tools/builtins/readFile'
import { writeFile } from '../../../../src/main/core/tools/builtins/writeFile'
import { shownLines } from '../../../../src/main/core/tools/hiddenLines'
import { makeToolWorld, type ToolWorld } from '../../../support/toolWorld'

const redact = makeRedact(() => ({}))
const line = 'a7Kd93mQx1Zp0Rt8VbWc5Yh2a7Kd93mQx1Zp0Rt8VbWc5Yh2a7Kd93mQx1Zp0Rt8'
const key = ['-----BEGIN RSA PRIVATE', ' KEY-----\n', `${line}\n`.repeat(6), '-----END RSA PRIVATE', ' KEY-----'].join('')
const config = `port: 80\npassword: zX81kQp0Lw\n${key}\nname: app\n`

let world: ToolWorld
beforeEach(() => {
  world = makeToolWorld(redact)
})
afterEach(() => world.remove())

const put = async (path: string, content: string): Promise<void> => {
  mkdirSync(join(world.root, path, '..'), { recursive: true })
  writeFileSync(join(world.root, path), content)
  await world.run(readFile, { path })
}
const edit = (path: string, old_text: string, new_text: string) => world.run(editFile, { path, edits: [{ old_text, new_text }] })
const onDisk = (path: string): string => readFileSync(join(world.root, path), 'utf8')

describe('what is read', () => {
  test('R68: a secret of several lines is one marker, and the numbers stay true', async () => {
    await put('app.yml', config)
    expect((await world.run(readFile, { path: 'app.yml' })).body).toBe('1\tport: 80\n2\tpassword: [redacted:password]\n3\t[redacted:private-key]\n11\tname: app')
  })

  test('R68: no range shows a part of a key, wherever it begins or ends', () => {
    const lines = config.split('\n')
    for (let from = 1; from <= lines.length; from++) {
      for (let to = from; to <= lines.length; to++) expect([from, to, shownLines(lines, from, to, redact).includes(line.slice(0, 20))]).toEqual([from, to, false])
    }
    expect(shownLines(lines, 5, 6, redact)).toBe('5\t[redacted:private-key]')
    const long = `${key.replace(/\n-----END[^]*/u, '')}\n${`${line}\n`.repeat(400)}`.split('\n')
    expect(shownLines(long, 300, 303, redact)).toBe('300\t[redacted:private-key]')
  })

  test('R68: a value is hidden by the name that stands before the range', () => {
    expect(shownLines(['- name: DB_PASSWORD', '  value: zX81kQp0Lw'], 2, 2, redact)).toBe('2\t  value: [redacted:password]')
  })
})

describe('DATA 8: what is written back', () => {
  test('the whole file as it was seen, with a change elsewhere, keeps every secret; the card shows the true result', async () => {
    for (const end of ['\n', '\r\n']) {
      const path = end === '\n' ? 'lf.yml' : 'crlf.yml'
      await put(path, config.replaceAll('\n', end))
      const content = redact(config).replace('port: 80', 'port: 8080')
      const after = config.replace('port: 80', 'port: 8080').replaceAll('\n', end)
      expect(await world.forecast(writeFile, { path, content })).toMatchObject({ value: { preview: { kind: 'edit', after } } })
      expect((await world.run(writeFile, { path, content })).status).toBe('ok')
      expect(onDisk(path)).toBe(after)
    }
  })

  test('an edit may name the marker, move it and rename what stands before it', async () => {
    await put('.env', 'DB_PASSWORD=zX81kQp0Lw\nAPI_TOKEN=yW92lRq1Mx\nA=1\n')
    expect((await edit('.env', 'DB_PASSWORD=[redacted:password]\n', 'DATABASE_PASSWORD=[redacted:password]\n')).status).toBe('ok')
    expect((await edit('.env', 'API_TOKEN=[redacted:token]\nA=1', 'A=2\nAPI_TOKEN=[redacted:token]')).status).toBe('ok')
    expect(onDisk('.env')).toBe('DATABASE_PASSWORD=zX81kQp0Lw\nA=2\nAPI_TOKEN=yW92lRq1Mx\n')
    const output = await edit('.env', '[redacted:password]', '$' + '{DB_PASSWORD}')
    expect([output.status, onDisk('.env').split('\n')[0]]).toEqual(['ok', 'DATABASE_PASSWORD=${DB_PASSWORD}'])
    expect(output.text).not.toMatch(/zX81|yW92/)
  })

  test('is refused where it cannot be said which value is meant, where there is none, and where nothing would hide it', async () => {
    await put('.env', 'A_TOKEN=zX81kQp0Lw\nB_TOKEN=yW92lRq1Mx\n')
    expect((await world.run(writeFile, { path: '.env', content: 'C_TOKEN=[redacted:token]\n' })).say.code).toBe('file.redaction-marker')
    expect((await edit('.env', 'A_TOKEN=', 'X=[redacted:key]\nA_TOKEN=')).say.code).toBe('file.redaction-marker')
    expect((await edit('.env', 'A_TOKEN=[redacted:token]', 'note: [redacted:token]')).say.code).toBe('file.marker-elsewhere')
    expect((await edit('.env', 'A_TOKEN=[redacted:token]', 'C_TOKEN=[redacted:token]\nD_TOKEN=[redacted:token]')).say.code).toBe('file.redaction-marker')
    expect((await world.run(writeFile, { path: 'copy.env', content: 'A_TOKEN=[redacted:token]\n' })).say.code).toBe('file.redaction-marker')
    expect((await edit('.env', 'C_TOKEN=[redacted:token]', 'C_TOKEN=1')).say.code).toBe('file.old-text-redacted')
    expect(onDisk('.env')).toBe('A_TOKEN=zX81kQp0Lw\nB_TOKEN=yW92lRq1Mx\n')
  })

  test('an edit beside a key shows nothing of it', async () => {
    await put('app.yml', config)
    const output = await edit('app.yml', 'name: app', 'name: other')
    expect(output.body).toBe('9\t[redacted:private-key]\n11\tname: other\n12\t')
  })
})
