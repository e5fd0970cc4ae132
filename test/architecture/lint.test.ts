import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'jsonc-parser'
import { afterAll, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
type Rules = Readonly<Record<string, string | readonly unknown[]>>
const config = parse(readFileSync(path.join(root, '.oxlintrc.json'), 'utf8')) as { readonly rules: Rules; readonly overrides: readonly { readonly rules: Rules }[] }

/** One violation of each rule that is named in the configuration. */
const named: Readonly<Record<string, string>> = {
  'typescript/no-explicit-any': 'export const f = (x: any): unknown => x as unknown',
  'typescript/no-unsafe-argument': 'declare const a: any\nexport const x = Number.parseFloat(a)',
  'typescript/no-unsafe-assignment': 'export const x: string = JSON.parse("1")',
  'typescript/no-unsafe-call': 'export const f = (): void => { JSON.parse("1")() }',
  'typescript/no-unsafe-function-type': 'export type T = Function',
  'typescript/no-unsafe-member-access': 'export const x = JSON.parse("1").a as unknown',
  'typescript/no-unsafe-return': 'export const f = (): string => JSON.parse("1")',
  'typescript/no-misused-promises': 'export const f = (p: Promise<boolean>): number => { if (p) return 1; return 2 }',
  'typescript/only-throw-error': 'export const f = (): void => { throw "a" }',
  'typescript/prefer-promise-reject-errors': 'export const f = (): Promise<void> => Promise.reject("a")',
  'typescript/require-await': 'export async function f(): Promise<number> { return 1 }',
  'eslint/no-empty': 'export const f = (g: () => void): void => { try { g() } catch {} }',
  'eslint/preserve-caught-error': 'export const f = (g: () => void): void => { try { g() } catch (e) { throw new Error("b") } }',
  'typescript/switch-exhaustiveness-check': 'export const f = (a: "x" | "y"): number => { switch (a) { case "x": return 1 }; return 2 }',
  'typescript/no-unsafe-enum-comparison': 'enum E { A = 1 }\nexport const f = (x: E): boolean => x === 1',
  'typescript/restrict-plus-operands': 'export const f = (a: { b: 1 }): string => "x" + a',
  'eslint/no-case-declarations': 'export const f = (a: number): number => { switch (a) { case 1: const b = 2; return b; default: return 1 } }',
  'eslint/no-fallthrough': 'export const f = (a: number, g: () => void): void => { switch (a) { case 1: g()\n default: g() } }',
  'eslint/no-prototype-builtins': 'export const f = (a: object): boolean => a.hasOwnProperty("b")',
  'eslint/no-unexpected-multiline': 'declare const a: (x: number) => number\nexport const x = a\n(1)',
  'eslint/no-unused-vars': 'const unused = 1\nconst _left = 2\nexport const f = (_a: number): number => 1',
  'eslint/no-useless-assignment': 'export const f = (a: number): number => { let b = 1; b = a; return b }',
  'typescript/no-unnecessary-type-assertion': 'export const f = (x: string): string => x as string',
  'typescript/no-unnecessary-type-constraint': 'export const f = <T extends unknown>(x: T): T => x',
  'typescript/no-empty-object-type': 'export type T = {}',
  'typescript/ban-ts-comment': '// @ts-ignore\nexport const x: number = "a"',
  'typescript/consistent-type-imports': 'import { T } from "./thing"\nexport const x: T = 1',
  'typescript/no-namespace': 'export namespace N { export const a = 1 }',
  'typescript/no-require-imports': 'export const x: unknown = require("fs")',
  'eslint/no-array-constructor': 'export const x = new Array(1, 2)',
  'eslint/no-regex-spaces': 'export const x = /a  b/',
  'eslint/no-var': 'export const f = (): number => { var a = 1; return a }',
  'eslint/prefer-const': 'export const f = (): number => { let a = 1; return a }',
  'eslint/prefer-rest-params': 'export function f(): unknown { return arguments }',
  'eslint/prefer-spread': 'export const f = (g: (...a: number[]) => void, a: number[]): void => { g.apply(undefined, a) }',
  'react/rules-of-hooks': 'import { useState } from "react"\nexport function A({ a }: { a: boolean }) { if (a) useState(1); return <b /> }',
  'react/unsupported-syntax': 'export function A() { eval("1"); return <b /> }',
}

/** What its category brings: the rules that need types, and those that the React compiler relies on. */
const ofCategory: Readonly<Record<string, string>> = {
  'typescript/await-thenable': 'export async function f(): Promise<void> { await 1 }',
  'typescript/no-base-to-string': 'export const f = (a: { b: 1 }): string => String(a)',
  'typescript/no-floating-promises': 'export const f = (): void => { Promise.resolve(1) }',
  'typescript/no-for-in-array': 'export const f = (a: number[]): void => { for (const k in a) void k }',
  'typescript/restrict-template-expressions': 'export const f = (a: { b: 1 }): string => `${a}`',
  'typescript/unbound-method': 'class A { n = 1; f(): number { return this.n } }\nexport const g = new A().f',
  'react/exhaustive-deps': 'import { useEffect } from "react"\nexport function A({ a }: { a: () => void }) { useEffect(() => { a() }, []); return <b /> }',
  'react/globals': 'let n = 0\nexport function A() { n = n + 1; return <b>{n}</b> }',
  'react/immutability': 'export function A({ a }: { a: { b: number } }) { a.b = 1; return <b>{a.b}</b> }',
  'react/purity': 'export function A() { return <b>{Math.random()}</b> }',
  'react/refs': 'import { useRef } from "react"\nexport function A() { const r = useRef(1); return <b>{r.current}</b> }',
  'react/set-state-in-effect': 'import { useEffect, useState } from "react"\nexport function A({ a }: { a: number }) { const [s, set] = useState(0); useEffect(() => { set(a) }, [a]); return <b>{s}</b> }',
  'react/static-components': 'export function A() { const B = () => <i />; return <B /> }',
}

const scratch = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-lint-')))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const placeOf = (rule: string): string => (rule.startsWith('react/') ? `src/renderer/${path.basename(rule)}.tsx` : `src/main/${path.basename(rule)}.ts`)

/** What the linter says of the planted files: `file rule`, and its exit code. */
async function lint(planted: Readonly<Record<string, string>>): Promise<{ readonly code: number; readonly found: ReadonlySet<string> }> {
  symlinkSync(path.join(root, 'node_modules'), path.join(scratch, 'node_modules'))
  for (const file of ['.oxlintrc.json', 'tsconfig.base.json']) cpSync(path.join(root, file), path.join(scratch, file))
  for (const folder of ['src/main', 'src/renderer']) mkdirSync(path.join(scratch, folder), { recursive: true })
  writeFileSync(path.join(scratch, 'tsconfig.json'), JSON.stringify({ extends: './tsconfig.base.json', compilerOptions: { jsx: 'react-jsx', lib: ['ES2023', 'DOM'] }, include: ['src'] }))
  writeFileSync(path.join(scratch, 'src/main/thing.ts'), 'export type T = number\n')
  for (const [rule, text] of Object.entries(planted)) writeFileSync(path.join(scratch, placeOf(rule)), `${text}\n`)
  const run = await promisify(execFile)(process.execPath, [path.join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json'], { cwd: scratch, maxBuffer: 1 << 24 }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { readonly code: number; readonly stdout: string }) => error,
  )
  const report = JSON.parse(run.stdout) as { readonly diagnostics: readonly { readonly code: string; readonly filename: string }[] }
  return { code: run.code, found: new Set(report.diagnostics.map(({ code, filename }) => `${filename} ${/\((.+)\)/.exec(code)?.[1]}`)) }
}

test('every rule that the configuration names has its planted violation', () => {
  const rules = [config.rules, ...config.overrides.map((override) => override.rules)].flatMap((some) => Object.entries(some))
  expect(Object.keys(named).sort()).toEqual([...new Set(rules.filter(([, how]) => how !== 'off').map(([rule]) => rule))].sort())
})

test('every rule fires on its planted violation, and that fails the run', async () => {
  const planted = { ...named, ...ofCategory }
  const { code, found } = await lint(planted)
  expect({ code, silent: Object.keys(planted).filter((rule) => !found.has(`${placeOf(rule)} ${path.basename(rule)}`)) }).toEqual({ code: 1, silent: [] })
})
