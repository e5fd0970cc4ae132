import type { CallArgs } from '../../../shared/domain/call'
import { fail, succeed, type Result } from '../../../shared/domain/result'
import type { Tool } from '../tools/defineTool'

/** Arguments as the tool's schema takes them, or a fault the model can act on that names the field. */
export function parseForTool(tool: Tool, args: unknown): Result<CallArgs> {
  const parsed = tool.params.safeParse(args)
  if (parsed.success) return succeed(parsed.data)
  const problem = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`).join('; ')
  return fail('tool.bad-arguments', { problem })
}
