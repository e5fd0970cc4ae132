import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Memories } from '../services/memories'
import { makeMemories } from '../services/makeMemories'
import { memoryDeskFor } from '../services/memoryDesk'
import type { Skills } from '../services/skills'
import { makeRetrieval, type Retrieval, type RetrievalPorts } from '../services/retrieval'
import type { Endpoints } from '../services/endpoints'
import type { OpenSession } from '../services/sessions'
import type { Database } from '../adapters/sqlite/database'
import type { BlobStore } from '../core/ports/blobStore'
import { makeLoadSkill } from '../core/tools/builtins/loadSkill'
import type { TurnPorts } from '../core/agent/turnPorts'
import { saveMemory } from '../core/tools/builtins/saveMemory'
import { searchCode } from '../core/tools/builtins/searchCode'
import type { Tool } from '../core/tools/defineTool'
import type { Secrets } from './composeSecrets'
import { composeSkills } from './composeSkills'
import { composeWeb } from './composeWeb'
import type { HostOptions } from './hostOptions'
import { codeIndexOver } from './libraryIndex'
import type { Models } from './composeModels'
import { makeLibraryThread, segmenterOver, type LibraryThread } from './libraryClient'

/** What the agent knows and looks things up in: memory, skills, the project's index, the web. */
export interface Library {
  readonly memories: Memories
  readonly skills: Skills
  readonly retrieval: Retrieval
  readonly endpoints: Endpoints
  /** Where what is heavy runs. */
  readonly thread: LibraryThread
  /** The tools of the library for one session (R102). */
  tools(session: OpenSession): Promise<readonly Tool[]>
  close(): Promise<void>
}

/** Wires the library. What is heavy of it lives in a thread that starts with the first need. */
export async function composeLibrary(options: HostOptions, kept: Secrets, models: Pick<Models, 'client'>, blobs: BlobStore, database: Database, record: Pick<TurnPorts, 'audit' | 'clock' | 'ids'>): Promise<Library> {
  const skills = composeSkills(options, database.skills)
  const loadSkill = makeLoadSkill(skills)
  const web = composeWeb(options, kept, blobs)
  const thread = makeLibraryThread(path.join(options.workersFolder, 'libraryWorker.js'))
  const memories = makeMemories({ ...record, store: database.memories, segmenter: segmenterOver(thread), withoutKnown: kept.withoutKnown })
  const index = codeIndexOver(thread, { cacheFile: path.join(options.dataFolder, 'cache.db'), home: options.home, appData: options.dataFolder, env: kept.environment })
  const retrieval = makeRetrieval({ index, settings: kept.settings, endpoints: web.endpoints, model: models.client, reranker: web.reranker, prompts: await retrievalPrompts(options), redact: kept.redact, isEager: options.indexesAtOpening, patienceMs: options.indexesAtOpening ? 2_000 : 120_000 })
  const codeSearch = searchCode({ search: retrieval, clock: record.clock })
  return {
    memories,
    skills,
    retrieval,
    endpoints: web.endpoints,
    thread,
    tools: async (session) => [codeSearch, loadSkill, saveMemory(memoryDeskFor(session, memories, kept.withoutKnown)), ...(await web.tools(session))],
    async close() {
      skills.close()
      await retrieval.close()
      await thread.close()
    },
  }
}

async function retrievalPrompts({ resourcesFolder }: HostOptions): Promise<RetrievalPorts['prompts']> {
  const [rewrite = '', rerank = ''] = await Promise.all(['rewrite.md', 'rerank.md'].map((name) => readFile(path.join(resourcesFolder, 'prompts', name), 'utf8')))
  return { rewrite, rerank }
}
