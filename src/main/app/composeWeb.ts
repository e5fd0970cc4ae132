import path from 'node:path'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import { makeEmbedder } from '../adapters/embed/embedder'
import { makeReranker } from '../adapters/embed/reranker'
import { makePageReader } from '../adapters/web/pageReader'
import { makeWebFetch } from '../adapters/web/webFetch'
import { makeWebSearch } from '../adapters/web/webSearch'
import type { BlobStore } from '../core/ports/blobStore'
import type { Embedder, Reranker } from '../core/ports/embedder'
import type { WebSearchEndpoint } from '../core/ports/web'
import type { Tool } from '../core/tools/defineTool'
import { makeFetchUrl } from '../core/tools/builtins/fetchUrl'
import { makeSearchWeb } from '../core/tools/builtins/searchWeb'
import { makeEndpoints, type Endpoints } from '../services/endpoints'
import { sessionFlow } from '../services/mcpFlow'
import { resultPorts } from '../services/mcpTools'
import type { OpenSession } from '../services/sessions'
import type { Secrets } from './composeSecrets'
import type { HostOptions } from './hostOptions'

/** The web of a host: its tools, and the endpoints beside the models'. */
export interface Web {
  readonly endpoints: Endpoints
  readonly embedder: Embedder
  readonly reranker: Reranker
  /** `fetch_url`, and `search_web` where a service is set. */
  tools(session: OpenSession): Promise<readonly Tool[]>
}

/** Wires the web. Nothing is asked of it before a tool or the person does. */
export function composeWeb(options: Pick<HostOptions, 'workersFolder'>, kept: Pick<Secrets, 'settings' | 'secrets' | 'environment' | 'redact' | 'makeFilter'>, blobs: BlobStore): Web {
  const { settings, secrets, environment: env } = kept
  const embedder = makeEmbedder({ env })
  const reranker = makeReranker({ env })
  const search = makeWebSearch(env)
  const web = makeWebFetch({ env, reader: makePageReader(path.join(options.workersFolder, 'webWorker.js')) })
  const endpoints = makeEndpoints({ settings, secrets, embedder, reranker, search })
  const results = resultPorts({ blobs, redact: kept.redact, makeFilter: kept.makeFilter })
  const searchEndpoint = async (): Promise<Result<WebSearchEndpoint>> => {
    const chosen = (await settings.read()).settings.web.search
    if (chosen === null) return fail('web.no-search')
    if (await endpoints.isKeySealed('web-search', chosen.url)) return fail('web.key-sealed')
    return succeed({ ...chosen, key: await endpoints.key('web-search', chosen.url) })
  }
  return {
    endpoints, embedder, reranker,
    async tools(session) {
      const notes = (sent: string, host: string): readonly Said[] => notesOf(session, sent, host, kept.redact)
      const fetchUrl = makeFetchUrl({ web, results, notes, privateHosts: async () => (await settings.read()).settings.web.privateHosts })
      const hasSearch = (await settings.read()).settings.web.search !== null
      return hasSearch ? [fetchUrl, makeSearchWeb({ web: search, results, notes, endpoint: searchEndpoint })] : [fetchUrl]
    },
  }
}

/** Text of files and servers in what goes to a host, and what looks like a secret. Text of one page that goes to another is how links work. */
function notesOf(session: OpenSession, sent: string, host: string, redact: (text: string) => string): readonly Said[] {
  const found = sessionFlow(session).find({ sent }, { kind: 'web', host }).flatMap(({ source, sample }): readonly Said[] => {
    switch (source.kind) {
      case 'server': return [said('web.flow-server', { from: source.server, host, sample })]
      case 'secret-file': return [said('web.flow-secret', { path: source.path, host, sample })]
      case 'project-file': return [said('web.flow-file', { path: source.path, host, sample })]
      case 'web': return []
    }
  })
  return redact(sent) === sent ? found : [said('web.secret-in-address', { host }), ...found]
}
