import { decide, look, review, setNetwork, useApprovals } from '../../../src/renderer/features/approvals/approvalStore'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import type { SandboxFacts } from '../../../src/shared/domain/sandbox'
import { said } from '../../../src/shared/domain/result'
import type { MemoryAnswers } from '../../support/memoryHost'
import * as cards from './approvalWorld'
import { editAsked, playEdit } from './editStories'
import { undoAsked } from './undoStories'

const whole = cards.trialCard()

/** What waits in each story of approvals. */
const asked: Readonly<Record<string, readonly ApprovalRequest[]>> = {
  'card-whole': [cards.wholeCard],
  'card-test': [cards.testCard],
  'card-wider': [cards.testCard],
  'card-tool': [cards.toolCard],
  'card-network': [cards.networkCard],
  'card-network-on': [cards.networkCard],
  'card-again': [cards.againCard],
  'card-outside': [cards.outsideCard],
  'card-no-sandbox': [cards.noSandboxCard],
  'card-queue': cards.queue,
  'card-other-session': cards.queue,
  'card-trying': [cards.testCard],
  'trial-docked': [whole],
  'trial-review': [whole],
  'trial-failed': [cards.trialCard({ exitCode: 2, refused: [{ kind: 'network', what: 'getaddrinfo EAI_AGAIN registry.example.org' }] })],
  'trial-changed': [cards.trialCard({ changedSince: ['src/shipping/index.ts'] })],
  'trial-nothing': [cards.trialCard({ files: [], refused: [] })],
}

/** What waits in a story; null where it is no story of approvals. */
export function askedIn(story: string): readonly ApprovalRequest[] | null {
  return asked[story] ?? editAsked[story] ?? undoAsked[story] ?? null
}

/** What the self-test of the sandbox found in a story. */
export function sandboxIn(story: string): SandboxFacts {
  if (story === 'card-no-sandbox') return cards.sandboxNone
  return story.startsWith('card-') || story.startsWith('trial-') || story === 'settings-sandbox' || story === 'calls-held' ? cards.sandboxOn : { kind: 'none', reason: said('approval.no-sandbox'), canTry: false, testedAtMs: 0 }
}

export const approvalAnswers: MemoryAnswers = {
  'approval/trial-file': ({ path }) => ({ ok: true, value: cards.trialText(path) }),
  'approval/is-fresh': ({ nonce }) => nonce !== 'stale',
  'sandbox/test': () => new Promise((done) => { setTimeout(() => done(cards.sandboxOn), 900) }),
}

/** Brings a card to the state of its story. */
export async function playApproval(story: string): Promise<void> {
  const [first, second] = useApprovals.getState().open
  if (!first || story in undoAsked) return
  if (story in editAsked) return playEdit(story)
  if (story === 'card-network-on') setNetwork(first.nonce, true)
  if (story === 'card-other-session' && second) look(first, second.sessionId)
  if (story === 'card-trying') await decide(first, { kind: 'try' })
  if (story.startsWith('trial-')) review(story === 'trial-docked' ? null : first.callId)
}
