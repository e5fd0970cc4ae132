import { Check, CircleDashed, OctagonX, X } from 'lucide-react'
import type { McpTestStep } from '../../../shared/ipc/views'
import { IconButton } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { closeTest, draftShown, keyOf, useServers, type Chosen } from './serverStore'

const order: readonly McpTestStep['step'][] = ['settings', 'start', 'handshake', 'tools', 'resources', 'prompts']

/** Each step of a test with its outcome and time, as it comes; what was not reached is not claimed. */
export function TestSteps({ chosen }: { readonly chosen: Chosen }) {
  const say = useWords()
  const run = useServers((state) => state.tests[keyOf(chosen)])
  const isOld = useServers((state) => run !== undefined && draftShown(state) !== run.draft)
  if (!run) return null
  const next = run.isRunning ? order[run.steps.length] : undefined
  return (
    <section className="testcard" aria-label={say('servers.test-result')}>
      <div className="row"><h3 className="strong grow">{say('servers.test-result')}</h3><span className={isOld ? 'small t-warn' : 'small faint'}>{say(isOld ? 'servers.test-is-old' : 'servers.test-saves-nothing')}</span><IconButton icon={X} label={say('servers.close-test')} onClick={closeTest} /></div>
      <ol role="status">
        {run.steps.map((step) => (
          <li key={step.step} className="row">
            {step.ok ? <Check className="i t-ok" size={14} aria-label={say('ui.ok')} /> : <OctagonX className="i t-bad" size={14} aria-label={say('ui.failed')} />}
            <span className="med step">{say(`servers.step.${step.step}`)}</span>
            <span className={step.ok ? 'dim grow wrap-any' : 't-bad grow wrap-any'}><Exact text={say.fact(step.say)} /></span>
            <span className="time">{say('servers.ms', { ms: Math.round(step.ms) })}</span>
          </li>
        ))}
        {next && <li className="row dim"><CircleDashed className="i spin" size={14} aria-hidden /><span className="med step">{say(`servers.step.${next}`)}</span>{say('servers.testing')}</li>}
      </ol>
    </section>
  )
}
