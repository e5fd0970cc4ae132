import path from 'node:path'
import type { Memories } from '../services/memories'
import { makeMemories } from '../services/makeMemories'
import { memoryDeskFor } from '../services/memoryDesk'
import type { Skills } from '../services/skills'
import type { Retrieval } from '../services/retrieval'
import type { Endpoints } from '../services/endpoints'
import type { OpenSession } from '../services/sessions'
import type { Database } from '../adapters/sqlite/database'
import type { BlobStore } from '../core/ports/blobStore'
import { makeLoadSkill } from '../core/tools/builtins/loadSkill'
import type { TurnPorts } from '../core/agent/turnPorts'
import { saveMemory } from '../core/tools/builtins/saveMemory'
import type { Tool } from '../core/tools/defineTool'
import type { Secrets } from './composeSecrets'
import { composeSkills } from './composeSkills'
import { composeWeb } from './composeWeb'
import type { HostOptions } from './hostOptions'
import { makeLibraryThread, segmenterOver } from './libraryClient'

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
export function composeLibrary(options: HostOptions, kept: Secrets, blobs: BlobStore, database: Database, record: Pick<TurnPorts, 'audit' | 'clock' | 'ids'>): Library {
  const skills = composeSkills(options, database.skills)
  const loadSkill = makeLoadSkill(skills)
  const web = composeWeb(options, kept, blobs)
  const later = (): never => {
    throw new Error('not built yet')
  }
  const rejects = (): Promise<never> => Promise.reject(new Error('not built yet'))
  const thread = makeLibraryThread(path.join(options.workersFolder, 'libraryWorker.js'))
  const memories = makeMemories({ ...record, store: database.memories, segmenter: segmenterOver(thread), withoutKnown: kept.withoutKnown })
  return {
    memories,
    skills,
    retrieval: { search: rejects, useFolder: () => Promise.resolve(), settingsChanged: () => Promise.resolve(), state: later, rebuild: rejects, onChange: () => () => undefined, close: () => Promise.resolve() },
    endpoints: web.endpoints,
    tools: async (session) => [loadSkill, saveMemory(memoryDeskFor(session, memories, kept.withoutKnown)), ...(await web.tools(session))],
    close: () => {
      skills.close()
      return thread.close()
    },
  }
}
