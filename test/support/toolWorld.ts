import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorkspaceFs } from '../../src/main/adapters/fs/workspaceFs'
import type { Redact } from '../../src/main/core/policy/redaction'
import { judgePath } from '../../src/main/core/policy/pathGuard'
import type { Tool, ToolContext, CallForecast } from '../../src/main/core/tools/defineTool'
import { fenceOf, openRoot } from '../../src/main/native/safePath'
import { asId } from '../../src/shared/domain/ids'
import type { Result } from '../../src/shared/domain/result'
import type { ToolOutput } from '../../src/shared/domain/tool'
import { say } from '../../src/shared/words/say'
import { makePathWorld, type PathWorld } from './pathWorld'

/** Runs file tools on real files, as the loop does: located, forecast, located again, run. */
export interface ToolWorld extends PathWorld {
  forecast(tool: Tool, args: unknown): Promise<Result<CallForecast>>
  /** Forecast and run; a fault of the forecast is the failed result. `between` runs after the call was approved. */
  run(tool: Tool, args: unknown, between?: () => void): Promise<ToolOutput & { readonly text: string }>
  text(path: string): string
  readonly readLog: Map<string, string>
}

/** A fresh project with an empty read log. Nothing is masked unless a redactor is given. */
export function makeToolWorld(redact: Redact = (text) => text): ToolWorld {
  const world = makePathWorld()
  const root = openRoot(world.root)
  if (!root.ok) throw new Error(root.fault.code)
  const fs = openWorkspaceFs(root.value, { guarded: [world.appData] })
  const fence = fenceOf(root.value, world.home, world.appData)
  const readLog = new Map<string, string>()
  const hash = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')
  const contextOf = async (tool: Tool, args: Readonly<Record<string, unknown>>): Promise<ToolContext> => {
    const places = new Map<string, Awaited<ReturnType<typeof fs.locate>>>()
    for (const claim of tool.paths(args)) places.set(claim.path, await fs.locate(claim.path, claim.use))
    const missing = (): never => {
      throw new Error('a file tool needs no such thing')
    }
    return {
      callId: asId('call'), root: world.root, fs,
      search: { text: missing, files: missing },
      commands: { start: missing, leftRunning: missing, endProgram: missing, closeAll: missing },
      blobs: new Proxy({} as ToolContext['blobs'], { get: missing }),
      hasher: { ofText: hash, ofBytes: hash },
      readLog: { get: (path) => readLog.get(path), set: (path, value) => void readLog.set(path, value), forget: (path) => void readLog.delete(path) },
      hintLog: new Map(),
      parts: [],
      sandbox: 'none',
      signal: new AbortController().signal,
      shown: null,
      place: (path) => places.get(path) ?? missing(),
      judgePath: (facts, use) => judgePath(facts, use, fence),
      output: () => null,
      origins: () => [],
      used: () => Promise.resolve(),
      redact,
      emit: missing,
      started: missing,
    }
  }
  const parse = (tool: Tool, args: unknown): Readonly<Record<string, unknown>> => tool.params.parse(args)
  const shown = (output: ToolOutput): ToolOutput & { readonly text: string } => ({ ...output, text: say('en', output.say) + (output.body === undefined ? '' : `\n${output.body}`) })
  return {
    ...world,
    readLog,
    async forecast(tool, args) {
      const parsed = parse(tool, args)
      return tool.forecast(parsed, await contextOf(tool, parsed))
    },
    async run(tool, args, between) {
      const parsed = parse(tool, args)
      const forecast = await tool.forecast(parsed, await contextOf(tool, parsed))
      if (!forecast.ok) return shown({ status: 'failed', say: forecast.fault })
      const context = await contextOf(tool, parsed)
      between?.()
      return shown(await tool.run(parsed, context))
    },
    text: (path) => readFileSync(join(world.root, path), 'utf8'),
  }
}
