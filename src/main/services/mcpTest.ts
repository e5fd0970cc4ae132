import type { McpServerForm } from '../../shared/domain/mcp'
import { fail, said, succeed, type Result, type Said } from '../../shared/domain/result'
import type { McpTestStep } from '../../shared/ipc/views'
import type { McpConnection, McpEndpoint, McpEvents } from '../core/ports/mcpConnections'
import { endpointOf } from './mcpEndpoint'
import { readForm } from './mcpForm'
import { secretsGiven } from './mcpLent'
import type { McpServersPorts } from './mcpPorts'
import type { McpRoster } from './mcpRoster'

type Step = McpTestStep['step']
type Done = (step: Step, ok: boolean, sentence: Said) => void

/** Tries a form without saving it, step by step; nothing is accepted by that, and what was started is ended again. */
export async function testForm(form: McpServerForm, previousName: string | null, ports: McpServersPorts, roster: McpRoster, onStep: (step: McpTestStep) => void): Promise<readonly McpTestStep[]> {
  const steps: McpTestStep[] = []
  let sinceMs = ports.clock.nowMs()
  const done: Done = (step, ok, sentence) => {
    const nowMs = ports.clock.nowMs()
    const made = { step, ok, ms: nowMs - sinceMs, say: sentence }
    sinceMs = nowMs
    steps.push(made)
    onStep(made)
  }
  await roster.load()
  const endpoint = await endpointOfForm(form, previousName, ports, roster)
  done('settings', endpoint.ok, endpoint.ok ? said('mcp.test-settings') : endpoint.fault)
  if (!endpoint.ok) return steps
  ports.remember(secretsGiven(endpoint.value))
  await tryEndpoint(form, endpoint.value, ports, roster, done)
  return steps
}

/** What was kept lies in the store under the name that the server has now; what was entered is not stored yet. */
async function endpointOfForm(form: McpServerForm, previousName: string | null, ports: McpServersPorts, roster: McpRoster): Promise<Result<McpEndpoint>> {
  const previous = previousName === null ? null : (roster.config(previousName) ?? null)
  // Testing would start it without the question.
  if (previous?.project !== undefined) return fail('trust.server-read-only', { server: previous.name })
  const read = readForm(form, previous, roster.servers().flatMap((one) => (one.name === previousName ? [] : [one.name])))
  if (!read.ok) return read
  const { config, secrets } = read.value
  const name = previous?.name ?? config.name
  const given = new Map([...secrets].map(([key, value]) => [`mcp/${name}${key.slice(`mcp/${config.name}`.length)}`, value] as const))
  return endpointOf({ ...config, name }, { secrets: ports.secrets, env: ports.env, searchPath: ports.searchPath, home: ports.home, folder: roster.workspace()?.root ?? null }, given)
}

async function tryEndpoint(form: McpServerForm, endpoint: McpEndpoint, ports: McpServersPorts, roster: McpRoster, done: Done): Promise<void> {
  const callMs = form.timeoutMs ?? ports.times.callMs
  const started = said(endpoint.kind === 'stdio' ? 'mcp.test-started' : 'mcp.test-reached')
  let step: Step = 'start'
  const made = await ports.connections.connect(
    { name: form.name.trim(), endpoint, root: roster.workspace()?.root ?? null, handshakeMs: ports.times.handshakeMs, callMs, ceilingMs: callMs * ports.times.ceilingFactor, offersSampling: false, offersElicitation: false },
    silent,
    new AbortController().signal,
    (next) => {
      if (step === 'start' && next !== 'start') done('start', true, started)
      step = next
    },
  )
  if (!made.ok) {
    done(step, false, made.end.advice === null ? made.end.say : said('mcp.test-advice', { problem: made.end.say, advice: made.end.advice }))
    return
  }
  try {
    if (step === 'start') done('start', true, started)
    const { name, version, protocol } = made.value.server
    done('handshake', true, said('mcp.test-handshake', { name, version, protocol }))
    await readLists(made.value, done)
  } finally {
    await made.value.close()
  }
}

async function readLists(connection: McpConnection, done: Done): Promise<void> {
  const { can } = connection
  const counted = async (step: Step, list: () => Promise<Result<readonly unknown[]>>, isOffered: boolean, code: 'mcp.test-tools' | 'mcp.test-resources' | 'mcp.test-prompts'): Promise<void> => {
    const read = isOffered ? await list() : succeed([])
    done(step, read.ok, read.ok ? said(code, { count: read.value.length }) : read.fault)
  }
  await counted('tools', () => connection.listTools(), can.tools, 'mcp.test-tools')
  await counted('resources', async () => {
    const [resources, templates] = [await connection.listResources(), await connection.listTemplates()]
    // A server may have the one and not the other.
    if (!resources.ok) return resources
    return succeed([...resources.value, ...(templates.ok ? templates.value : [])])
  }, can.resources, 'mcp.test-resources')
  await counted('prompts', () => connection.listPrompts(), can.prompts, 'mcp.test-prompts')
}

const silent: McpEvents = {
  log: () => undefined,
  toolsChanged: () => undefined,
  resourcesChanged: () => undefined,
  resourceUpdated: () => undefined,
  promptsChanged: () => undefined,
  question: () => Promise.resolve({ kind: 'refused' }),
  closed: () => undefined,
}
