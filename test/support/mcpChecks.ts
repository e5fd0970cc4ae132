import type { Tool } from '../../src/main/core/tools/defineTool'
import type { Said } from '../../src/shared/domain/result'
import { say } from '../../src/shared/words/say'

/** Finds a server's tool by its own name. */
export const isTool = (name: string) => (tool: Tool): boolean => tool.origin?.tool === name

/** A fault in English; empty where there is none. */
export function sayText(fault: Said | null): string {
  return fault === null ? '' : say('en', fault)
}
