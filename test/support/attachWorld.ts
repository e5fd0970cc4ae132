import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeBlobStore } from '../../src/main/adapters/blobs/blobStore'
import { openWorkspaceFs } from '../../src/main/adapters/fs/workspaceFs'
import { makeImageScaler } from '../../src/main/adapters/images/imageScaler'
import { makeTextSearch } from '../../src/main/adapters/search/textSearch'
import { makeRedact } from '../../src/main/core/policy/redaction'
import { judgePath } from '../../src/main/core/policy/pathGuard'
import type { BlobStore } from '../../src/main/core/ports/blobStore'
import { fenceOf, openRoot } from '../../src/main/native/safePath'
import { makeAttaching, type Attaching } from '../../src/main/services/attaching'
import { resultPorts } from '../../src/main/services/mcpTools'

/** A project folder with the service that attaches from it. */
export interface AttachWorld {
  readonly root: string
  readonly outside: string
  readonly blobs: BlobStore
  readonly attaching: Attaching
  /** The files of the outputs store. */
  kept(): readonly string[]
  put(relative: string, content: string | Uint8Array): void
}

/** Everything is real: folder, guards, store, search, and the scaler over the built worker. */
export function attachWorld(): AttachWorld {
  const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'attach-')))
  const [root, outside, data] = ['project', 'outside', 'data'].map((name) => path.join(scratch, name)) as [string, string, string]
  for (const folder of [root, outside, data]) mkdirSync(folder)
  const opened = openRoot(root)
  if (!opened.ok) throw new Error(opened.fault.code)
  const redact = makeRedact(() => ({}))
  const blobs = makeBlobStore(path.join(data, 'outputs'))
  const fence = fenceOf(opened.value, scratch, data)
  const fs = openWorkspaceFs(opened.value, { guarded: [data] })
  const results = resultPorts({ blobs, redact, makeFilter: () => { let all = ''; return { push: (piece) => { all += piece; return '' }, end: () => redact(all) } } })
  const attaching = makeAttaching({ redact, results, blobs, scaler: makeImageScaler(path.resolve('out/main/imageWorker.js')), search: makeTextSearch(), clock: { nowMs: () => Date.now() }, sight: () => ({ root, fs, judgePath: (facts, use) => judgePath(facts, use, fence) }) })
  return {
    root, outside, blobs, attaching,
    kept: () => readdirSync(data, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : [])),
    put(relative, content) {
      mkdirSync(path.dirname(path.join(root, relative)), { recursive: true })
      writeFileSync(path.join(root, relative), content)
    },
  }
}
