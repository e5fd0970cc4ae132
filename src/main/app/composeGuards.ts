import { fail, said } from '../../shared/domain/result'
import type { SandboxFacts } from '../../shared/domain/sandbox'
import type { Sandbox } from '../core/ports/sandbox'
import type { TrialRunner } from '../core/ports/trialRunner'
import type { AuditPages } from '../services/auditPages'
import type { Permissions } from '../services/permissions'
import type { Trust } from '../services/trust'
import { subscribe } from '../services/sessions'

/** What stands between the agent and the machine, beside the guards themselves. */
export interface Guards {
  readonly permissions: Permissions
  readonly trust: Trust
  readonly auditPages: AuditPages
}

const notBuilt = (): Promise<never> => Promise.reject(new Error('not built'))
const never = (): (() => void) => () => undefined

/** Until the real one is wired here: nothing answers. */
export const noPermissions: Permissions = {
  useFolder: () => Promise.resolve(), live: () => [], remember: () => Promise.resolve(fail('approval.gone')), used: () => Promise.resolve(true), page: () => Promise.resolve({ grants: [], rules: [] }),
  propose: notBuilt, tryOut: notBuilt, save: notBuilt, revoke: notBuilt, revokeAll: notBuilt, lapsed: () => Promise.resolve(), onChange: never, close: () => undefined,
}

/** Until the real one is wired here. */
export const noAuditPages: AuditPages = { page: notBuilt, record: notBuilt, check: notBuilt, exportTo: notBuilt }

/** Until the real one is wired here. */
export const noSandbox: Sandbox = { report: () => Promise.resolve(none), test: () => Promise.resolve(none), launcher: () => Promise.resolve(fail('approval.gone')) }
const none = { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 } as const

/** Until the real one is wired here. */
export const noTrials: TrialRunner = { canTry: () => Promise.resolve(false), run: () => Promise.resolve(fail('approval.gone')) }

/** What the window is told of the sandbox; the self-test begins at once and nobody waits for it. */
export interface SandboxWatch {
  facts(): SandboxFacts
  test(): Promise<SandboxFacts>
  onChange(listener: (facts: SandboxFacts) => void): () => void
}

/** Watches the sandbox of one host. */
export function watchSandbox(sandbox: Sandbox): SandboxWatch {
  let facts: SandboxFacts = { kind: 'testing' }
  const listeners = new Set<(facts: SandboxFacts) => void>()
  const take = (found: SandboxFacts): SandboxFacts => {
    facts = found
    listeners.forEach((listener) => listener(found))
    return found
  }
  void sandbox.report().then(take)
  return { facts: () => facts, test: async () => take(await sandbox.test()), onChange: (listener) => subscribe(listeners, listener) }
}
