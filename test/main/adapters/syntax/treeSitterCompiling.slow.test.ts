import { afterEach, expect, test, vi } from 'vitest'
import { makeTreeSitter } from '../../../../src/main/adapters/syntax/treeSitter'

afterEach(() => { vi.unstubAllGlobals() })

/** In a thread of Electron what is compiled in the background wakes nobody: seen as five of eight threads that hung there. */
test('R98: a grammar is ready although nothing that is compiled in the background ever comes to its end', async () => {
  const asked: string[] = []
  const never = (name: string) => () => { asked.push(name); return new Promise<never>(() => undefined) }
  // Node itself holds the real object: what a module of WebAssembly calls is looked up when it is called.
  const real = Reflect.get(globalThis, 'WebAssembly') as Readonly<Record<string, unknown>>
  const own = Object.fromEntries(Object.getOwnPropertyNames(real).map((name) => [name, real[name]]))
  vi.stubGlobal('WebAssembly', { ...own, instantiate: never('instantiate'), compile: never('compile'), instantiateStreaming: never('instantiateStreaming'), compileStreaming: never('compileStreaming') })
  const syntax = makeTreeSitter()
  const ready = Promise.all(['typescript', 'python'].map((language) => syntax.prepare(language))).then(() => 'ready' as const)
  await Promise.race([ready, vi.waitFor(() => expect(asked).not.toEqual([]))])
  expect(asked).toEqual([])
  expect(await ready).toBe('ready')
  expect(syntax.units('python', 'def one():\n    pass\n')?.map((unit) => unit.name)).toEqual(['one'])
})
