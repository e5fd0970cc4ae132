import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { currentIssue, requirements } from '../requirements'

const tests = path.resolve(import.meta.dirname, '..')

function cited(): ReadonlySet<string> {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('requirements'))
  return new Set(files.flatMap((file) => readFileSync(path.join(tests, file), 'utf8').match(/\bR\d{1,3}\b/g) ?? []))
}

test('the list holds every number from R1 to R114 once', () => {
  expect([...requirements.keys()].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))).toEqual(Array.from({ length: 114 }, (_, index) => `R${index + 1}`))
})

test('every due number has a test that cites it', () => {
  const have = cited()
  expect([...requirements].filter(([number, { due }]) => due <= currentIssue && !have.has(number)).map(([number]) => number)).toEqual([])
})

test('no test cites an unknown number', () => {
  expect([...cited()].filter((number) => !requirements.has(number))).toEqual([])
})
