import { fail, succeed, type Said } from '../../shared/domain/result'
import { isLooser } from '../../shared/domain/session'
import { rowOfOpening } from '../../shared/domain/sessionList'
import { defaultSettings } from '../../shared/domain/settings'
import { channels } from '../../shared/ipc/channels'
import { readPageEvents } from '../../shared/ipc/sessionViews'
import type { AppStart } from '../../shared/ipc/views'
import type { HostServices, OpenWorkspace } from '../services/hostServices'
import { attachHandlers } from './attachHandlers'
import { contextHandlers } from './contextHandlers'
import { agreeToEditor, fileHandlers } from './fileHandlers'
import { guardHandlers } from './guardHandlers'
import { libraryHandlers } from './libraryHandlers'
import { modelHandlers } from './modelHandlers'
import { programHandlers } from './programHandlers'
import { runHandlers } from './runHandlers'
import { sessionActHandlers } from './sessionHandlers'
import { usageHandlers } from './usageHandlers'
import type { Handlers } from './answer'
import type { WindowAbilities } from './windowAbilities'

/** The handlers of all channels over the host's services. */
export function makeHandlers(host: HostServices, window: WindowAbilities): Handlers {
  return { ...appHandlers(host, window), ...sessionHandlers(host, window), ...approvalHandlers(host), ...historyHandlers(host), ...settingsHandlers(host, window), ...mcpHandlers(host, window), ...libraryHandlers(host, window), ...guardHandlers(host, window), ...contextHandlers(host), ...runHandlers(host), ...attachHandlers(host), ...programHandlers(host), ...usageHandlers(host, window), ...fileHandlers(host, window), ...modelHandlers(host, window), ...sessionActHandlers(host, window) }
}

/** What answers when the host could not start: the page learns why and where the data lies; every other door stays shut. */
export function stoppedHandlers(fault: Said, window: Pick<WindowAbilities, 'version' | 'platform' | 'locale'>, dataFolder: AppStart['dataFolder']): Handlers {
  const start: AppStart = { version: window.version, platform: window.platform, locale: window.locale(), settings: defaultSettings, faults: [], stopped: fault, workspace: null, recent: [], sandbox: { kind: 'testing' }, audit: null, dataFolder }
  const shut = channels.map((name) => [name, () => Promise.reject(new Error(fault.code))] as const)
  return { ...(Object.fromEntries(shut) as unknown as Handlers), 'app/start': () => Promise.resolve(start) }
}

type Part<Prefix extends string> = Pick<Handlers, Extract<keyof Handlers, `${Prefix}/${string}`>>

function appHandlers(host: HostServices, window: WindowAbilities): Part<'app' | 'workspace' | 'practice' | 'link'> {
  const open = async (root: string) => {
    const opened = await host.openWorkspace(root)
    if (opened.ok) window.opened(opened.value.workspace.root)
    return opened.ok ? succeed(opened.value.workspace) : opened
  }
  return {
    'app/start': async () => {
      const { settings, faults } = await host.settings.read()
      return {
        version: window.version,
        platform: window.platform,
        locale: window.locale(),
        settings,
        faults: [...host.faults, ...faults],
        stopped: null,
        workspace: host.current()?.workspace ?? null,
        recent: await host.recentFolders(),
        sandbox: host.sandbox(),
        audit: host.auditHead(),
        dataFolder: host.dataFolder,
      }
    },
    'workspace/choose': async () => {
      const root = await window.chooseFolder()
      return root === null ? null : open(root)
    },
    'workspace/open': ({ root }) => open(root),
    'workspace/close': () => host.closeWorkspace(),
    'practice/start': async () => {
      const opened = await host.openPractice()
      if (opened.ok) window.opened(opened.value.workspace.root)
      return opened.ok ? succeed(opened.value.workspace) : opened
    },
    'link/open': async ({ url }) => {
      await window.openLink(url)
      return null
    },
  }
}

function sessionHandlers(host: HostServices, window: WindowAbilities): Pick<Handlers, 'session/list' | 'session/create' | 'session/rename' | 'session/read' | 'session/cancel' | 'session/set-level'> & Omit<Part<'command' | 'output'>, 'command/leave'> {
  return {
    'session/list': async () => {
      const open = host.current()
      return open ? host.sessions.list(open.workspace.id) : []
    },
    'session/create': async () => {
      const { events: [opening] } = await host.createSession('')
      if (opening?.type !== 'session-opened') throw new Error('a session without its opening')
      return rowOfOpening(opening)
    },
    'session/rename': async ({ sessionId, title }) => {
      await host.sessions.append(sessionId, [{ type: 'session-renamed', title }])
      return null
    },
    'session/read': async ({ sessionId, fromSeq, toSeq }) => {
      const { events } = await host.sessions.open(sessionId)
      return events.slice(fromSeq - 1, Math.min(toSeq ?? Infinity, fromSeq - 1 + readPageEvents))
    },
    'session/cancel': ({ sessionId }) => {
      host.runs.cancel(sessionId)
      return Promise.resolve(null)
    },
    'session/set-level': async ({ sessionId, level }) => {
      const session = await host.sessions.open(sessionId)
      if (isLooser(session.level, level) && !(await window.confirmLooserLevel(level))) return fail('session.level-kept')
      await host.setLevel(sessionId, level)
      return succeed(null)
    },
    'command/input': async ({ callId, text }) => {
      await host.runs.sendInput(callId, text)
      return null
    },
    'command/resize': ({ callId, columns, rows }) => {
      host.runs.resize(callId, columns, rows)
      return Promise.resolve(null)
    },
    'output/read': async ({ ref, offset, length }) => {
      const bytes = await host.blobs.get(ref)
      if (!bytes) return fail('command.output-gone')
      const text = new TextDecoder().decode(bytes.subarray(characterAt(bytes, offset), characterAt(bytes, offset + length)))
      return succeed({ text: host.redact(text), totalBytes: bytes.length })
    },
    'output/content': async ({ ref }) => {
      const bytes = await host.blobs.get(ref)
      if (!bytes) return fail('command.output-gone')
      if (bytes.length > shownBytes) return fail('mcp.content-too-large', { bytes: bytes.length })
      return succeed({ base64: Buffer.from(bytes).toString('base64'), sizeBytes: bytes.length })
    },
  }
}

/** The place itself, or the next one where a character of UTF-8 begins: parts read one after another lose and split nothing. */
function characterAt(bytes: Uint8Array, place: number): number {
  let at = place
  while (at < place + 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1
  return at
}

/** Largest picture or sound that the window draws; a larger one can be saved from the outputs folder. */
const shownBytes = 24 * 1024 * 1024

function approvalHandlers(host: HostServices): Part<'approval'> {
  return {
    'approval/list': () => Promise.resolve(host.desk.list()),
    'approval/decide': (decision) => Promise.resolve(host.desk.decide(decision)),
    'approval/is-fresh': (question) => host.desk.isFresh(question),
    'approval/trial-file': ({ callId, trialId, path }) => host.trialFile(callId, trialId, path),
  }
}

function historyHandlers(host: HostServices): Part<'timeline' | 'snapshot' | 'rollback'> {
  const snapshots = (): OpenWorkspace['snapshots'] => {
    const open = host.current()
    if (!open) throw new Error('no folder is open')
    return open.snapshots
  }
  return {
    'timeline/read': ({ after }) => snapshots().reading.timeline(after),
    'timeline/changes': ({ before, after }) => snapshots().reading.changes(before, after),
    'timeline/file': ({ oid }) => snapshots().reading.file(oid),
    'timeline/now': () => snapshots().reading.now(),
    'timeline/authors': ({ path, before, after }) => snapshots().reading.authors(path, before, after),
    'timeline/paths': ({ at, query }) => snapshots().reading.paths(at, query),
    'timeline/history': ({ path }) => snapshots().reading.history(path),
    'timeline/uncovered': () => snapshots().reading.uncovered(),
    'snapshot/space': () => snapshots().upkeep.space(),
    'snapshot/pack': () => snapshots().upkeep.pack(),
    'snapshot/forget': ({ before, isDry }) => snapshots().upkeep.forget(before, isDry),
    'snapshot/cancel': () => { snapshots().cancelFirst(); return Promise.resolve(null) },
    'rollback/plan': ({ target }) => snapshots().plans.preview(target),
    'rollback/conflict': ({ target, path }) => snapshots().plans.conflict(target, path),
    'rollback/apply': (request) => snapshots().apply(request),
    'rollback/undo': ({ rollbackId }) => snapshots().undo(rollbackId),
  }
}

function settingsHandlers(host: HostServices, window: WindowAbilities): Omit<Part<'settings' | 'provider'>, 'provider/test' | 'provider/refresh'> {
  return {
    'settings/change': async (fields) => {
      const editor = await agreeToEditor(fields.editorCommand, host, window)
      if (!editor.ok) return editor
      const changed = await host.settings.change(withoutUndefined(fields))
      if (changed.ok) window.settingsChanged(changed.value)
      if (changed.ok && fields.budget !== undefined) host.budgets.settingsChanged()
      if (changed.ok && fields.snapshots !== undefined) await host.current()?.snapshots.rulesChanged()
      if (changed.ok && fields.retrieval !== undefined) await host.retrieval.settingsChanged()
      return changed
    },
    'provider/list': () => host.providers.list(),
    'provider/save': (provider) => host.providers.save(provider),
    'provider/save-key': ({ provider, key, passPhrase }) => host.providers.saveKey(provider, key, passPhrase),
    'provider/remove': ({ provider }) => host.providers.remove(provider),
    'provider/remove-key': ({ provider }) => host.providers.removeKey(provider),
    'provider/unseal': async ({ passPhrase }) => {
      const opened = await host.secrets.unseal(passPhrase)
      if (opened.ok) await takeUpServers(host.mcp)
      return opened
    },
  }
}

/** Servers that failed for want of a secret which is there now: they start again when used. */
async function takeUpServers(mcp: HostServices['mcp']): Promise<void> {
  const { servers } = await mcp.page()
  const waiting = servers.filter(({ state }) => state.kind === 'sign-in' || (state.kind === 'failed' && state.say.code === 'mcp.secret-not-set'))
  await Promise.all(waiting.map(({ name }) => mcp.stop(name)))
}

function mcpHandlers({ mcp }: HostServices, window: WindowAbilities): Part<'mcp'> {
  return {
    'mcp/read': () => mcp.page(),
    'mcp/server': ({ name }) => mcp.detail(name),
    'mcp/save': ({ form, previousName, passPhrase }) => mcp.save(form, previousName, passPhrase),
    'mcp/remove': ({ name }) => mcp.remove(name),
    'mcp/choose': ({ name, choice }) => mcp.choose(name, choice),
    'mcp/test': ({ form, previousName, ticket }) => mcp.test(form, previousName, (step) => window.mcpTestStep({ ticket, step })),
    'mcp/start': ({ name }) => mcp.start(name),
    'mcp/stop': ({ name }) => mcp.stop(name),
    'mcp/log': ({ name }) => Promise.resolve(mcp.log(name)),
    'mcp/review': ({ name, subject, tool, hash, accept }) => mcp.review(name, subject, tool, hash, accept),
    'mcp/reveal': ({ name, list, field }) => mcp.reveal(name, list, field),
    'mcp/paste': ({ text }) => mcp.paste(text),
    'mcp/scan': () => mcp.scan(),
    'mcp/import': ({ source, rows, passPhrase }) => mcp.importFrom(source, rows, passPhrase),
    'mcp/sign-in': ({ name }) => mcp.signIn(name),
    'mcp/sign-out': ({ name }) => mcp.signOut(name),
    'mcp/resources': ({ query }) => mcp.resources(query),
    'mcp/prompts': () => mcp.prompts(),
    'mcp/complete': ({ server, of, argument, value, known }) => mcp.complete(server, of, argument, value, known),
    'mcp/prompt': ({ server, name, args }) => mcp.prompt(server, name, args),
  }
}

/** Fields that were left out stay as they are. */
function withoutUndefined<Fields extends object>(fields: Fields): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [Name in keyof Fields]: Exclude<Fields[Name], undefined> }
}
