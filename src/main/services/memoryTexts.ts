import type { ApprovalAnswer, ApprovalRequest } from '../../shared/domain/approval'
import { memoryCharacters } from '../../shared/domain/memory'
import { fail, succeed, type Result, type Said } from '../../shared/domain/result'
import { redact } from '../core/policy/redaction'
import { saysSecret } from '../core/policy/secretWords'

/**
 * A text as it would be stored: line ends made one kind, nothing around it. Refused are an empty one, one that is too long, and
 * one that holds a secret or what looks like one, also said in words, whoever wrote it: a memory goes into the prompts that it
 * matches, and out of the app with them.
 */
export function fitMemory(text: string, withoutKnown: (text: string) => string): Result<string> {
  const plain = text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n').replace(/\0/g, '').trim()
  if (plain === '') return fail('memory.empty')
  if (plain.length > memoryCharacters) return fail('memory.too-long', { limit: memoryCharacters, characters: plain.length })
  return withoutSecrets(plain, withoutKnown) === plain && !saysSecret(plain) ? succeed(plain) : fail('memory.holds-secret')
}

/** For what leaves the store: a secret may have become one after the entry was made. */
export function withoutSecrets(text: string, withoutKnown: (text: string) => string): string {
  return redact(withoutKnown(text))
}

/** Why a proposed fact cannot be kept as the person edited it; null for every other answer. */
export function refusedEdit({ preview }: ApprovalRequest, answer: ApprovalAnswer, withoutKnown: (text: string) => string): Said | null {
  if (preview.kind !== 'memory') return null
  const edited = answer.kind === 'edited-text' ? answer.text : answer.kind === 'edited' ? answer.args['text'] : null
  if (typeof edited !== 'string') return null
  const fit = fitMemory(edited, withoutKnown)
  return fit.ok ? null : fit.fault
}
