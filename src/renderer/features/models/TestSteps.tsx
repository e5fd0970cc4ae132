import { Check, CircleDashed, CircleHelp, OctagonX } from 'lucide-react'
import type { ProviderTest } from '../../../shared/ipc/views'
import { useWords } from '../../ui/words'
import type { TestView } from './modelStore'

/** Each step with its outcome as it comes; what was not reached is not claimed. */
export function TestSteps({ test: { steps, isRunning } }: { readonly test: TestView }) {
  const say = useWords()
  return (
    <section className="card teststeps" role="status" aria-busy={isRunning}>
      <h3 className="strong">{say('provider.test-result')}</h3>
      <ol>
        {steps.map((step) => (
          <li key={step.step}>
            <Outcome ok={step.ok} />
            <span className="med">{say(`provider.step.${step.step}`)}</span>
            <span className="dim grow wrap-any">{say.fact(step.say)}</span>
          </li>
        ))}
      </ol>
      {isRunning && <p className="row dim"><CircleDashed className="i spin" size={14} aria-hidden />{say('provider.testing')}</p>}
    </section>
  )
}

function Outcome({ ok }: Pick<ProviderTest['steps'][number], 'ok'>) {
  const say = useWords()
  if (ok === null) return <CircleHelp className="i dim" size={14} aria-label={say('provider.not-known')} />
  return ok ? <Check className="i t-ok" size={14} aria-label={say('ui.ok')} /> : <OctagonX className="i t-bad" size={14} aria-label={say('ui.failed')} />
}
