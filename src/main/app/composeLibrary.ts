import type { Memories } from '../services/memories'
import type { Skills } from '../services/skills'
import type { Retrieval } from '../services/retrieval'
import type { Endpoints } from '../services/endpoints'
import type { OpenSession } from '../services/sessions'
import type { BlobStore } from '../core/ports/blobStore'
import type { Tool } from '../core/tools/defineTool'
import type { Secrets } from './composeSecrets'
import { composeWeb } from './composeWeb'
import type { HostOptions } from './hostOptions'

/** What the agent knows and looks things up in: memory, skills, the project's index, the web. */
export interface Library {
  readonly memories: Memories
  readonly skills: Skills
  readonly retrieval: Retrieval
  readonly endpoints: Endpoints
  /** The tools of the library for one session (R102). */
  tools(session: OpenSession): Promise<readonly Tool[]>
  close(): Promise<void>
}

/** Wires the library. The parts that are not built yet reject. */
export function composeLibrary(options: HostOptions, kept: Secrets, blobs: BlobStore): Library {
  const web = composeWeb(options, kept, blobs)
  const later = (): never => {
    throw new Error('not built yet')
  }
  const rejects = (): Promise<never> => Promise.reject(new Error('not built yet'))
  return {
    memories: { page: rejects, save: rejects, accept: rejects, related: rejects, change: rejects, remove: rejects, clear: rejects, restore: rejects, importText: rejects, exportText: rejects, search: rejects, inject: () => Promise.resolve([]), stillThere: (ids) => Promise.resolve(new Set(ids)), onChange: () => () => undefined },
    skills: { page: rejects, text: rejects, switch: rejects, reload: rejects, chosen: rejects, load: rejects, index: () => ({ text: '', bytes: 0, entries: [] }), onChange: () => () => undefined, close: () => undefined },
    retrieval: { search: rejects, useFolder: () => Promise.resolve(), settingsChanged: () => Promise.resolve(), state: later, rebuild: rejects, onChange: () => () => undefined, close: () => Promise.resolve() },
    endpoints: web.endpoints,
    tools: (session) => web.tools(session),
    close: () => Promise.resolve(),
  }
}
