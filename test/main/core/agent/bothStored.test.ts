import { expect, test } from 'vitest'
import { bothStored } from '../../../../src/main/core/agent/bothStored'

test('R68 R84: a decision goes on only when its event and its entry are both stored, whichever comes last', async () => {
  for (const last of ['event', 'entry'] as const) {
    const done: string[] = []
    const resolves: Record<string, () => void> = {}
    const write = (name: string) => new Promise<void>((resolve) => (resolves[name] = resolve))
    const both = bothStored(write('event'), write('entry')).then(() => done.push('both'))
    resolves[last === 'event' ? 'entry' : 'event']?.()
    await new Promise((resolve) => setImmediate(resolve))
    expect(done).toEqual([])
    resolves[last]?.()
    await both
    expect(done).toEqual(['both'])
  }
})

test('R84: where one cannot be stored nothing follows, and the other one is not left under way', async () => {
  const done: string[] = []
  const later = (name: string) => new Promise<void>((resolve) => setImmediate(() => resolve(void done.push(name))))
  await expect(bothStored(Promise.reject(new Error('event')), later('entry'))).rejects.toThrow('event')
  await expect(bothStored(later('event'), Promise.reject(new Error('entry')))).rejects.toThrow('entry')
  await expect(bothStored(Promise.reject(new Error('event')), Promise.reject(new Error('entry')))).rejects.toThrow('event')
  expect(done).toEqual(['entry', 'event'])
})
