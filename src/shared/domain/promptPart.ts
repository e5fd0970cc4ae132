/** A part of what the model is sent, in the order it is sent (R23). `draft`: the message that is being written. */
export type PromptPartName = 'base' | 'mode' | 'safety' | 'tools' | 'session' | 'project' | 'skills' | 'memory' | 'history' | 'draft'

/** What a part costs; `tokens` is estimated (R31). `count` is of its things: tools, files, skills, memories, messages; null for plain text. */
export interface PromptPartCost {
  readonly part: PromptPartName
  readonly tokens: number
  readonly count: number | null
}
