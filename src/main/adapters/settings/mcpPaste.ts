import type { McpImportable } from '../../core/ports/mcpConfig'
import { fail, type Result } from '../../../shared/domain/result'

export function readPasted(text: string): Result<McpImportable> {
  return fail('mcp.paste-unknown', { text })
}
