import { repairMessages } from '../../src/main/core/context/repair'
import { say } from '../../src/shared/words/say'
import type { LabInput, Print } from './index'

/** `repair`: messages in chat-completions form on stdin (a list, or `{messages}`); the list as it would be sent, and what was done to it. */
export function repairLab(_args: readonly string[], input: LabInput, print: Print): Promise<void> {
  const { messages, repairs } = repairMessages(readMessages(input.bytes().toString('utf8')))
  print({ messages, repaired: repairs.map((fact) => ({ ...fact, say: say('en', fact) })) })
  return Promise.resolve()
}

function readMessages(text: string): readonly unknown[] {
  const body: unknown = JSON.parse(text)
  const list = typeof body === 'object' && body !== null && 'messages' in body ? body.messages : body
  if (!Array.isArray(list)) throw new Error('standard input holds no list of messages')
  return list as readonly unknown[]
}
