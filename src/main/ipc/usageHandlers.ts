import { succeed } from '../../shared/domain/result'
import type { HostServices } from '../services/hostServices'
import type { Handlers } from './answer'
import type { WindowAbilities } from './windowAbilities'

type Part<Prefix extends string> = Pick<Handlers, Extract<keyof Handlers, `${Prefix}/${string}`>>

/** What models were used for, and the ceilings. */
export function usageHandlers(host: HostServices, window: WindowAbilities): Part<'usage' | 'budget'> {
  return {
    'usage/read': (ask) => host.usagePages.read(ask),
    'usage/export': async (ask) => {
      const { text, calls } = await host.usagePages.csv(ask)
      const saved = await window.saveTextFile('countersign-usage.csv', text)
      if (saved === null) return null
      return saved.ok ? succeed({ path: saved.value.path, calls }) : saved
    },
    'budget/answer': ({ sessionId, of, answer }) => host.budgets.answer(sessionId, of, answer),
  }
}
