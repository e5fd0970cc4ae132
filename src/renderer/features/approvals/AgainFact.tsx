import { History, ShieldCheck } from 'lucide-react'
import type { ApprovalRequest } from '../../../shared/domain/approval'
import { useWords } from '../../ui/words'
import { Fact } from './Fact'

/** Of a question that waited when the app was closed or killed: whether it is still the same one (R84). */
export function AgainFact({ request: { askedBefore } }: { readonly request: ApprovalRequest }) {
  const say = useWords()
  if (askedBefore === undefined) return null
  return askedBefore.isSame
    ? <Fact icon={ShieldCheck} tone="t-ok" isWide>{say('approval.again-same')}</Fact>
    : <Fact icon={History} tone="t-warn" isWide>{say('approval.again-changed', { time: say.time(askedBefore.atMs) })}</Fact>
}
