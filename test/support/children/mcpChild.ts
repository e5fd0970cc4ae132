import { makeMcpConnections } from '../../../src/main/adapters/mcp/mcpConnections'
import type { Isolation } from '../../../src/main/native/processTreeIsolation'
import { listenTo, never, startOf } from '../mcpServers'
import type { McpEndpoint } from '../../../src/main/core/ports/mcpConnections'

/** An app that connects to servers and then waits to be killed; says `ready` when all are, or `failed`. */
const job = JSON.parse(process.argv[2] ?? '{}') as { readonly endpoints: readonly McpEndpoint[]; readonly isolation: Isolation | null }
const connections = makeMcpConnections({ version: '1', ...(job.isolation === null ? {} : { isolation: job.isolation }) })
const made = await Promise.all(job.endpoints.map((endpoint) => connections.connect(startOf(endpoint), listenTo(), never)))
console.log(made.every(({ ok }) => ok) ? 'ready' : 'failed')
setInterval(() => {}, 1e6)
