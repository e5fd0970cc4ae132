import type { SandboxFacts } from '../../../shared/domain/sandbox'
import { Button } from '../../ui/Button'
import { Exact } from '../../ui/Exact'
import { Chip } from '../../ui/parts'
import { leading, useWords, type Speaker } from '../../ui/words'
import { Setting } from './SettingCard'

/** What the last self-test of the sandbox found, honestly, and a way to test again (R72). */
export function SandboxSetting({ facts, onTest }: { readonly facts: SandboxFacts; readonly onTest: () => void }) {
  const say = useWords()
  return (
    <Setting name={say('settings.sandbox')} about={<Exact text={aboutOf(facts, say)} className="wrap-any" />}>
      <Chip {...(facts.kind === 'testing' ? {} : { tone: facts.kind === 'on' ? 'ok' : 'warn' } as const)}>{facts.kind === 'testing' ? say('settings.sandbox-testing') : facts.kind === 'on' ? say(`settings.sandbox-means.${facts.means}`) : say('settings.none')}</Chip>
      <Button size="small" look="quiet" disabled={facts.kind === 'testing'} onClick={onTest}>{say('settings.sandbox-again')}</Button>
    </Setting>
  )
}

function aboutOf(facts: SandboxFacts, say: Speaker): string {
  if (facts.kind === 'testing') return say('settings.sandbox-on')
  const time = say.time(facts.testedAtMs)
  const parts = facts.kind === 'on'
    ? [say('settings.sandbox-on'), say('settings.sandbox-passed', { time }), say(facts.canTry ? 'settings.sandbox-try' : 'settings.sandbox-no-try')]
    : [say.fact(facts.reason), say('settings.sandbox-none'), say('settings.sandbox-failed', { time })]
  return parts.reduce((text, part) => leading(text) + part)
}
