import type { AgentEvent } from '../../../shared/domain/event'
import type { TaintSource, ToolContent } from '../../../shared/domain/tool'

/** What a session knows of a name in the outputs store. `mimeType` null: the full text of a result. */
export interface NamedOutput {
  readonly mimeType: string | null
  /** Set when it is from outside. */
  readonly taint: TaintSource | null
}

/**
 * What the session's own results and attachments say of a name; null for a name that none of them gave. Only such names may
 * be read: names are hashes and hard to guess, but the outputs of other sessions and folders lie in the same store, and a
 * hash that came up elsewhere must open nothing here.
 */
export function outputNamed(events: readonly AgentEvent[], ref: string): NamedOutput | null {
  let found: NamedOutput | null = null
  const taints = new Map<string, TaintSource>()
  for (const event of events) {
    if (event.type === 'taint-marked' && event.callId !== null) taints.set(event.callId, event.source)
    if (event.type === 'tool-finished') found = worse(found, inContent(event, ref, taints.get(event.callId) ?? null))
    // What a compaction left out of a result can be read again (R28).
    if (event.type === 'history-compacted') for (const { callId, outputRef } of event.trimmed) if (outputRef === ref) found = worse(found, { mimeType: null, taint: taints.get(callId) ?? null })
    if (event.type !== 'user-message-added') continue
    for (const one of event.attachments ?? []) found = worse(found, inContent(one, ref, { kind: 'mcp', server: one.server }))
    for (const one of event.files ?? []) found = worse(found, inContent(one, ref, one.path === null && one.text !== '' ? { kind: 'file', path: one.name } : null))
  }
  return found
}

function inContent(of: { readonly outputRef: string | null; readonly content?: readonly ToolContent[] }, ref: string, taint: TaintSource | null): NamedOutput | null {
  if (of.outputRef === ref) return { mimeType: null, taint }
  const part = of.content?.find((one) => one.kind !== 'link' && one.ref === ref)
  return part && part.kind !== 'link' ? { mimeType: part.mimeType, taint } : null
}

/** The same bytes may have come twice; once from outside is enough. */
function worse(known: NamedOutput | null, also: NamedOutput | null): NamedOutput | null {
  return known === null || (known.taint === null && also?.taint) ? (also ?? known) : known
}
