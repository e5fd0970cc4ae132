import type { ApprovalAnswer, ApprovalRequest } from '../../../shared/domain/approval'
import { memoryCharacters } from '../../../shared/domain/memory'
import { said, type Result, type Said } from '../../../shared/domain/result'
import { addressFacts } from './address'
import { readDraft, valuesOf } from './formValues'

/**
 * What "Allow once" would send: an unchanged text is a plain yes. Null while that cannot be said. `isNetworkOn`: the person
 * opens the network for this command, which is another way to run it.
 */
export function answerOf(request: ApprovalRequest, edited: string | null, isNetworkOn = false): ApprovalAnswer | null {
  const { preview } = request
  switch (preview.kind) {
    case 'question': {
      const text = (edited ?? '').trim()
      return text === '' ? null : { kind: 'edited-text', text }
    }
    case 'trial': return null
    case 'command': {
      const isRewritten = edited !== null && edited !== preview.command
      if (!isRewritten && !isNetworkOn) return { kind: 'allow' }
      return { kind: 'edited', args: { ...request.args, ...(isRewritten ? { command: edited } : {}), ...(isNetworkOn ? { network: true } : {}) } }
    }
    case 'memory': {
      const text = (edited ?? preview.text).trim()
      if (text === '' || text.length > memoryCharacters) return null
      return edited === null || edited === preview.text ? { kind: 'allow' } : { kind: 'edited-text', text }
    }
    case 'edit': {
      if (edited === null || edited === preview.after) return { kind: 'allow' }
      // Everything was rejected: nothing would be written.
      return edited === (preview.before ?? '') ? null : { kind: 'edited-text', text: edited }
    }
    case 'mcp': {
      if (edited === null || edited === preview.text) return { kind: 'allow' }
      const args = readArguments(edited)
      return args.ok ? { kind: 'edited', args: args.value } : null
    }
    case 'elicitation': {
      const args = valuesOf(preview.fields, readDraft(edited))
      return args && { kind: 'edited', args }
    }
    case 'open-address': return addressFacts(preview.url).host === null ? null : { kind: 'allow' }
    case 'move':
    case 'binary':
    case 'fetch':
    case 'web-search':
    case 'arguments':
    case 'sampling': return { kind: 'allow' }
  }
}

/** Typed arguments: one JSON object, each of its numbers exactly as it was typed. */
export function readArguments(text: string): Result<Readonly<Record<string, unknown>>> {
  let value: unknown
  let hasBig = false
  try {
    value = JSON.parse(text, (_, one: unknown) => {
      hasBig ||= typeof one === 'number' && Math.abs(one) > Number.MAX_SAFE_INTEGER
      return one
    })
  } catch (error) {
    return refused(said('approval.json-broken', { problem: error instanceof Error ? error.message : '' }))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused(said('approval.json-no-object'))
  return hasBig ? refused(said('approval.json-big')) : { ok: true, value: value as Readonly<Record<string, unknown>> }
}

function refused(fault: Said): { readonly ok: false; readonly fault: Said } {
  return { ok: false, fault }
}
