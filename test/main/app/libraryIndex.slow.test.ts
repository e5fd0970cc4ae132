import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { codeIndexOver } from '../../../src/main/app/libraryIndex'
import { makeLibraryThread } from '../../../src/main/app/libraryClient'
import { asId } from '../../../src/shared/domain/ids'
import type { IndexState } from '../../../src/shared/domain/retrieval'

const workerFile = path.resolve(import.meta.dirname, '../../../out/main/libraryWorker.js')
const never = new AbortController().signal

test('R98: the index of the built thread is opened, asked, switched off and closed', async () => {
  const top = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), 'countersign-thread-')))
  fs.mkdirSync(path.join(top, 'project'))
  fs.mkdirSync(path.join(top, 'data'))
  fs.writeFileSync(path.join(top, 'project', 'a.py'), 'def evict_cache():\n    pass\n')
  const thread = makeLibraryThread(workerFile)
  const states: IndexState[] = []
  try {
    const index = codeIndexOver(thread, { cacheFile: path.join(top, 'data', 'cache.db'), home: path.join(top, 'home'), appData: path.join(top, 'data'), env: {} })
    index.onState((state) => states.push(state))
    expect(await index.lookup({ queries: ['cache'], perList: 5 }, never)).toEqual({ lists: [], vectorFault: null })
    await index.open({ workspaceId: asId('w'), root: path.join(top, 'project') })
    await until(() => index.state().phase === 'ready' && index.state().files === 1)
    expect(await index.lookup({ queries: ['evict the cache'], perList: 5 }, never)).toEqual({
      lists: [{ by: 'keyword', hits: [{ path: 'a.py', language: 'python', symbol: 'evict_cache', startLine: 1, endLine: 2, text: 'def evict_cache():\n    pass' }] }],
      vectorFault: null,
    })
    await expect(index.lookup({ queries: ['x'], path: '{', perList: 5 }, never)).rejects.toMatchObject({ fault: { code: 'search.bad-glob' } })
    // As after a change of settings: the same folder again.
    await index.open({ workspaceId: asId('w'), root: path.join(top, 'project') })
    expect(index.state().phase).toBe('ready')
    await index.open(null)
    expect([states[0]?.phase, index.state().phase]).toEqual(['starting', 'off'])
  } finally {
    await thread.close()
    fs.rmSync(top, { recursive: true, force: true })
  }
})

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end && !holds(); ) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(holds()).toBe(true)
}
