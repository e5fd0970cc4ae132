/** The prompt's parts as files, and the facts of the session that come last because they change. */
export interface PromptParts {
  readonly base: string
  readonly safety: string
  readonly root: string
  readonly platform: string
  /** The language the person reads, for answers whose question has none. */
  readonly locale: string
}

/** The system prompt in its stable order (R23, R55): what never changes first, so that providers can reuse it. */
export function assemblePrompt(parts: PromptParts): string {
  const answerIn = parts.locale === 'zh-CN' ? 'Chinese (zh-CN)' : 'English'
  const facts = ['# This session', `- Opened folder: ${parts.root}`, `- System: ${parts.platform}`, `- Unless the user writes in another language, answer in ${answerIn}.`]
  return [parts.base.trim(), parts.safety.trim(), facts.join('\n')].join('\n\n')
}
