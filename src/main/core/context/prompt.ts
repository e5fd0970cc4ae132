import type { InjectedMemory } from '../../../shared/domain/memory'
import type { PromptPartName } from '../../../shared/domain/promptPart'
import { memoryPart } from './memoryPart'
import { projectPart, type ProjectInstructions } from './projectPart'

/** The prompt's files: what every prompt begins with, how work is organised, and what may not be done (R55). */
export interface PromptFiles {
  readonly base: string
  readonly mode: string
  readonly safety: string
}

/** What a system prompt is made of: the files, the facts of the session, and what changes most, last. */
export interface PromptParts extends PromptFiles {
  readonly root: string
  readonly platform: string
  /** The language the person reads, for answers whose question has none. */
  readonly locale: string
  /** Of the opened folder, only what the person trusted (R61), in its order. */
  readonly project: readonly ProjectInstructions[]
  /** The index of skills with its own heading (`SkillIndex.text`); empty when there are none. */
  readonly skills: string
  /** The entries of the turn that still exist. */
  readonly memories: readonly InjectedMemory[]
}

/** A part of the system prompt with its text; `count` as `PromptPartCost` says. */
export interface PromptText {
  readonly part: Exclude<PromptPartName, 'tools' | 'history' | 'draft'>
  readonly text: string
}

/**
 * The parts of the system prompt that hold something, in their stable order (R23, R55): what never changes first, so that
 * providers can reuse it. Tools go beside the system prompt, the history behind it.
 */
export function promptTexts(parts: PromptParts): readonly PromptText[] {
  const all: readonly PromptText[] = [
    { part: 'base', text: parts.base.trim() },
    { part: 'mode', text: parts.mode.trim() },
    { part: 'safety', text: parts.safety.trim() },
    { part: 'session', text: sessionPart(parts) },
    { part: 'project', text: projectPart(parts.project) },
    { part: 'skills', text: parts.skills.trim() },
    { part: 'memory', text: memoryPart(parts.memories) },
  ]
  return all.filter(({ text }) => text !== '')
}

/** The system prompt. The same parts give the same bytes. */
export function assemblePrompt(parts: PromptParts): string {
  return promptTexts(parts).map(({ text }) => text).join('\n\n')
}

function sessionPart({ root, platform, locale }: PromptParts): string {
  const answerIn = locale === 'zh-CN' ? 'Chinese (zh-CN)' : 'English'
  return ['# This session', `- Opened folder: ${root}`, `- System: ${platform}`, `- Unless the user writes in another language, answer in ${answerIn}.`].join('\n')
}
