import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { askingLevels } from '../../shared/domain/session'
import type { ApprovalRequest } from '../../shared/domain/approval'
import { asId, type SessionId } from '../../shared/domain/ids'
import { said, type Said } from '../../shared/domain/result'
import { say } from '../../shared/words/say'
import type { OpenWorkspace } from '../services/hostServices'
import { composeHost, type Host } from '../app/compose'
import { practiceId } from '../services/providerRoster'
import { writtenAnswers, type WrittenAnswers } from './approvalsFile'
import { eventLine, partLine, type Print } from './jsonLines'
import { readAttached } from './attached'
import { hostOptions } from './options'
import { count, Fault, oneOf, readOptions, required, UsageError } from './usage'

const spec = {
  project: { type: 'string' },
  prompt: { type: 'string' },
  mode: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  approvals: { type: 'string' },
  session: { type: 'string' },
  ask: { type: 'string' },
  'max-steps': { type: 'string' },
  trust: { type: 'boolean' },
  attach: { type: 'string', multiple: true },
} as const

/**
 * `run`: one turn of the real agent. Every event and every stream part is a line. With `--session`, unfinished work
 * comes first, then the prompt, which may be empty then, or where something is attached. SIGINT cancels as Esc does.
 */
export async function runCommand(args: readonly string[], print: Print): Promise<void> {
  const { values, lists } = readOptions(args, spec)
  const mode = oneOf(String(values['mode'] ?? 'react'), ['react', 'plan', 'team'], 'mode')
  if (mode !== 'react') throw new UsageError(`no such mode yet: ${mode}`)
  const project = required(values['project'], 'project')
  const session = typeof values['session'] === 'string' ? values['session'] : null
  const attached = lists['attach'] ?? []
  const prompt = session === null && attached.length === 0 ? required(values['prompt'], 'prompt') : String(values['prompt'] ?? '')
  const level = oneOf(String(values['ask'] ?? 'writes'), askingLevels, 'ask')
  const maxSteps = typeof values['max-steps'] === 'string' ? count(values['max-steps'], 'max-steps') : undefined
  const model = chosenModel(values)
  const answers = writtenAnswers(typeof values['approvals'] === 'string' ? await readAnswers(values['approvals']) : null)

  const host = await composeHost({ ...hostOptions(values), given: givenProvider(values), chosenModel: model, trustsFolders: values['trust'] === true ? 'all' : 'nothing' })
  try {
    const choice = await host.providers.choice()
    if (model === null && choice.ok && choice.value.provider === practiceId && !isPracticeFolder(project)) throw new Fault(noModel)
    await runInHost(host, { project, prompt, attached, session, level, unanswered: choice.ok ? null : choice.fault, ...(maxSteps === undefined ? {} : { maxSteps }) }, answers, print)
  } finally {
    await host.close()
  }
}

/** The tutor answers where nothing else is set up. On a command line that would pass for a model. */
const noModel = 'no model is set: name one with --base-url URL (and --model NAME), set COUNTERSIGN_PROVIDER_URL, or add a provider in the window under Models; --model practice/scripted-tutor plays the practice'

/** Where the window puts the practice project. */
function isPracticeFolder(project: string): boolean {
  const folder = path.resolve(project)
  return path.dirname(folder) === os.homedir() && /^countersign-practice(?:-\d+)?$/.test(path.basename(folder))
}

interface RunRequest {
  readonly project: string
  readonly prompt: string
  /** Paths of files and pictures that go with it. */
  readonly attached: readonly string[]
  readonly session: string | null
  readonly level: (typeof askingLevels)[number]
  readonly maxSteps?: number
  /** Why no model can answer a new session. */
  readonly unanswered: Said | null
}

/** An edit that cannot be taken is a no with the reason: nobody is there to write another. */
function answerOnce({ desk }: Host, question: ApprovalRequest, answers: WrittenAnswers): void {
  const { callId, nonce, argsHash } = question
  const decided = desk.decide({ callId, nonce, argsHash, answer: answers.answerFor(question) })
  if (!decided.ok) desk.decide({ callId, nonce, argsHash, answer: { kind: 'deny', reason: say('en', decided.fault) } })
}

async function runInHost(host: Host, request: RunRequest, answers: WrittenAnswers, print: Print): Promise<void> {
  const opened = await host.openWorkspace(request.project)
  if (!opened.ok) throw new Fault(say('en', opened.fault))
  // A new session that nobody can answer in would only lie about, empty.
  if (request.session === null && request.unanswered !== null) throw new Fault(say('en', request.unanswered))
  // Before there is a session: what cannot be attached leaves nothing behind.
  const files = await readAttached(host.attaching, request.attached)
  const stopPrinting = printSession(host, print)
  const stopAnswering = host.desk.onChange((open) => {
    for (const question of open) answerOnce(host, question, answers)
  })
  const stopAtCeilings = host.budgets.onChange((open) => { for (const one of open) void host.budgets.answer(one.sessionId, one, { kind: 'stop' }) })
  const id = request.session === null ? await newSession(host, request) : await ownSession(host, asId<SessionId>(request.session), opened.value)
  const cancel = (): void => host.runs.cancel(id)
  process.on('SIGINT', cancel)
  try {
    if (request.session !== null) await host.runs.recover(id, 'tell')
    if (request.prompt === '' && files.length === 0) return
    const started = await host.runs.prompt(id, request.prompt, { level: request.level, files, ...(request.maxSteps === undefined ? {} : { maxSteps: request.maxSteps }) })
    if (!started.ok) throw new Fault(say('en', started.fault))
    await started.value.ended
  } finally {
    process.off('SIGINT', cancel)
    stopAnswering()
    stopAtCeilings()
    stopPrinting()
  }
}

async function newSession(host: Host, request: RunRequest): Promise<SessionId> {
  const session = await host.createSession('', request.level)
  return session.id
}

/** A session of another folder must not go on in this one. */
async function ownSession(host: Host, id: SessionId, { workspace }: OpenWorkspace): Promise<SessionId> {
  const session = await host.sessions.open(id)
  if (session.workspaceId !== workspace.id) throw new Fault(say('en', said('session.other-folder', { root: workspace.root })))
  return id
}

function printSession(host: Host, print: Print): () => void {
  const stopEvents = host.sessions.onEvents((events) => events.forEach((event) => print(eventLine(event))))
  const stopParts = host.sessions.onParts((part) => print(partLine(part)))
  return () => {
    stopEvents()
    stopParts()
  }
}

/** Beside `--base-url` a name alone will do: there is one provider then. Elsewhere another one would answer unasked. */
function chosenModel(values: Readonly<Record<string, string | boolean | undefined>>): string | null {
  const model = values['model']
  if (typeof model !== 'string') return null
  if (givenProvider(values) === null && !/^[^/]+\/./su.test(model)) throw new UsageError(`--model takes PROVIDER/MODEL, and ${model === '' ? 'nothing' : model} is none; NAME alone goes with --base-url URL`)
  return model
}

/** `--base-url` alone means an OpenAI-compatible server; `--model` is then `compatible/NAME`. */
function givenProvider(values: Readonly<Record<string, string | boolean | undefined>>): { readonly baseUrl: string; readonly model: string | null } | null {
  const baseUrl = values['base-url']
  if (typeof baseUrl !== 'string' || baseUrl === '') return null
  const model = values['model']
  if (typeof model !== 'string' || model === '') return { baseUrl, model: null }
  return { baseUrl, model: model.startsWith('compatible/') ? model.slice('compatible/'.length) : model }
}

async function readAnswers(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Fault(`the approvals file cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
