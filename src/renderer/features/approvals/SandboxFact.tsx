import { Box, Globe, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import type { SandboxFacts } from '../../../shared/domain/sandbox'
import { Exact } from '../../ui/Exact'
import { joined, leading, useWords } from '../../ui/words'
import { Listed } from './Listed'
import { networkNeed, type NetworkNeed } from './partLook'

interface SandboxFactProps {
  readonly request: ApprovalRequest
  /** What the self-test found; null where that is not known. */
  readonly facts: SandboxFacts | null
  readonly network: { readonly isOn: boolean; readonly onChange: ((isOn: boolean) => void) | null }
}

/** What would hold the command, and whether it may reach the network: said honestly where nothing holds it (R72). */
export function SandboxFact({ request, facts, network }: SandboxFactProps) {
  const say = useWords()
  const { preview, sandbox } = request
  if (preview.kind !== 'command') return null
  const { confinement } = preview
  if (confinement?.outside === true) {
    return <Row icon={TriangleAlert} tone="t-bad"><span className="t-bad strong">{say('approval.outside')}</span>{confinement.after === 'path' && joined(say('approval.outside'), say('approval.after-path'))}</Row>
  }
  if (sandbox === 'none') return <Row icon={Box} tone="t-warn">{say('approval.no-sandbox')}{facts?.kind === 'none' && facts.reason.code !== 'approval.no-sandbox' && <span className="small dim reason"><Exact text={say.fact(facts.reason)} className="wrap-any" /></span>}</Row>
  if (confinement?.network === true) {
    return <Row icon={Globe} tone="t-warn"><span className="t-warn">{say('approval.network-asked')}</span>{confinement.after === 'network' && joined(say('approval.network-asked'), say('approval.after-network'))}</Row>
  }
  const need = networkNeed(request)
  const isAsked = need !== null || network.isOn
  return (
    <Row icon={Box} tone="t-ok">
      {say('approval.sandbox-on')}
      {isAsked ? joined(say('approval.sandbox-on'), say('approval.network-consent')) : confinement !== undefined && joined(say('approval.sandbox-on'), say('approval.network-off'))}
      {isAsked && <NetworkTick need={need} isOn={network.isOn} onChange={network.onChange} />}
    </Row>
  )
}

function Row({ icon: Icon, tone, children }: { readonly icon: typeof Box; readonly tone: string; readonly children: ReactNode }) {
  return <div className="fact"><Icon className={`i ${tone}`} size={14} aria-hidden /><span>{children}</span></div>
}

/** One tick, since the sandbox opens the network as a whole: a tick a host would promise what nothing keeps. */
function NetworkTick({ need, isOn, onChange }: { readonly need: NetworkNeed | null; readonly isOn: boolean; readonly onChange: ((isOn: boolean) => void) | null }) {
  const say = useWords()
  const hosts = need?.hosts ?? []
  return (
    <>
      <label className="nettick">
        <input type="checkbox" className="cb" checked={isOn} disabled={onChange === null} onChange={(event) => onChange?.(event.target.checked)} />
        <span>
          <span className="sr">{leading(say('approval.network-open'))}</span>
          <Listed of={hosts} />
          {hosts.length === 0 ? say('approval.network-unnamed') : need?.hasOthers === true && <> {say('approval.network-and-others')}</>}
        </span>
      </label>
      <span className={isOn ? 'small t-warn reason' : 'small dim reason'}>{say(isOn ? 'approval.network-whole' : 'approval.network-fails')}</span>
    </>
  )
}
