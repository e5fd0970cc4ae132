import type { AttachedFile, EventDraft, MessageAttachment } from '../../shared/domain/event'
import type { MessageId, TurnId } from '../../shared/domain/ids'
import type { QueuedMessage } from '../../shared/domain/messageQueue'
import type { LoadedSkill } from '../../shared/domain/skill'
import type { TaintSource } from '../../shared/domain/tool'
import type { TurnPorts } from '../core/agent/turnPorts'
import { redactedSkill, withoutSame } from '../core/skills/loadedSkills'

/** What goes along with a message. Attachments and files are text from elsewhere: they are redacted before they are stored. */
export interface MessageParts {
  readonly attachments?: readonly MessageAttachment[]
  readonly files?: readonly AttachedFile[]
  /** Skills that the person chose for this message, made ready; of two that say the same, one. */
  readonly skills?: readonly LoadedSkill[]
}

/** A message as it may be stored: without registered secrets, what came along with it masked. */
export type StorableMessage = Pick<QueuedMessage, 'text' | 'attachments' | 'files' | 'skills'>

/** Makes it. Lists that are empty are left out. */
export function storableMessage(text: string, parts: MessageParts, { redact, withoutKnown }: Pick<TurnPorts, 'redact' | 'withoutKnown'>): StorableMessage {
  const named = <One extends { readonly name: string; readonly text: string }>(one: One): One => ({ ...one, name: redact(one.name), text: redact(one.text) })
  const attachments = (parts.attachments ?? []).map(named)
  const files = (parts.files ?? []).map(named)
  const skills = withoutSame((parts.skills ?? []).map((one) => redactedSkill(one, redact)))
  return {
    text: withoutKnown(text),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(files.length > 0 ? { files } : {}),
    ...(skills.length > 0 ? { skills } : {}),
  }
}

/** What a message adds to a turn: the marks of where its text comes from first, then the skills, then its words. */
export function messageDrafts({ text, attachments, files, skills }: StorableMessage, at: { readonly turnId: TurnId; readonly step: number; readonly messageId: MessageId }): readonly EventDraft[] {
  const { turnId, step, messageId } = at
  return [
    ...taintsOf(attachments ?? [], files ?? []).map((source) => ({ type: 'taint-marked' as const, turnId, step, callId: null, source })),
    ...(skills ?? []).map((one) => ({ type: 'skill-loaded' as const, turnId, step, callId: null, ...one })),
    { type: 'user-message-added', turnId, messageId, text, ...(attachments === undefined ? {} : { attachments }), ...(files === undefined ? {} : { files }) },
  ]
}

/** Servers, and files from outside the project (R71). A picture that the person shows is no text. */
function taintsOf(attachments: readonly MessageAttachment[], files: readonly AttachedFile[]): readonly TaintSource[] {
  const servers = new Set(attachments.map((one) => one.server))
  const outside = new Set(files.filter(({ path, text }) => path === null && text !== '').map(({ name }) => name))
  return [...[...servers].map((server) => ({ kind: 'mcp' as const, server })), ...[...outside].map((path) => ({ kind: 'file' as const, path }))]
}
