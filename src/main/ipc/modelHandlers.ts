import { fail, succeed } from '../../shared/domain/result'
import { pickedModel } from '../../shared/domain/sessionModel'
import type { HostServices } from '../services/hostServices'
import type { Handlers } from './answer'
import type { WindowAbilities } from './windowAbilities'

/** What is known of providers and their models, and which one serves a session. */
export function modelHandlers(host: HostServices, window: Pick<WindowAbilities, 'providerTestStep'>): Pick<Handlers, 'catalogue/read' | 'provider/test' | 'provider/refresh' | 'session/set-model'> {
  return {
    'catalogue/read': () => host.providers.catalogue(),
    'provider/test': ({ provider }) => host.providers.test(provider, (step) => window.providerTestStep({ provider, step })),
    'provider/refresh': ({ provider }) => host.providers.refresh(provider),
    'session/set-model': async ({ sessionId, choice }) => {
      if (!(await host.providers.knows(choice))) return fail('model.no-provider', { provider: choice.provider })
      const before = pickedModel((await host.sessions.open(sessionId)).events)
      if (before?.provider === choice.provider && before.model === choice.model) return succeed(null)
      await host.sessions.append(sessionId, [{ type: 'model-changed', choice }])
      return succeed(null)
    },
  }
}
