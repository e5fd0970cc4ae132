import { succeed } from '../../shared/domain/result'
import type { HostServices } from '../services/hostServices'
import type { WindowAbilities } from './windowAbilities'
import type { Handlers } from './answer'

type Part<Prefix extends string> = Pick<Handlers, Extract<keyof Handlers, `${Prefix}/${string}`>>

/** Permissions, trust, sandbox and the record. */
export function guardHandlers(host: HostServices, window: WindowAbilities): Part<'permission' | 'trust' | 'sandbox' | 'audit'> {
  const { permissions, trust, auditPages } = host
  return {
    'permission/read': () => permissions.page(),
    'permission/propose': ({ callId }) => permissions.propose(callId),
    'permission/try-out': ({ draft, replaces }) => permissions.tryOut(draft, replaces),
    'permission/save': ({ drafts, replaces }) => permissions.save(drafts, replaces),
    'permission/revoke': ({ of }) => permissions.revoke(of),
    'permission/revoke-all': async () => {
      await permissions.revokeAll()
      return null
    },
    'trust/read': () => trust.findings(),
    'trust/decide': ({ trusted, declined }) => trust.decide(trusted, declined),
    'sandbox/test': () => host.testSandbox(),
    'audit/verify': () => auditPages.check(),
    'audit/page': (ask) => auditPages.page(ask),
    'audit/record': ({ entry }) => auditPages.record(entry),
    'audit/export': async ({ format, part }) => {
      const file = await window.chooseSaveFile(`countersign-record${part === null ? '' : '-part'}.${format}`)
      if (file === null) return null
      const saved = await auditPages.exportTo(file, format, part ?? undefined)
      return saved.ok ? succeed({ path: file, entries: saved.value.entries }) : saved
    },
  }
}
