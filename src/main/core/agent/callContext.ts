import type { ApprovalPreview } from '../../../shared/domain/approval'
import type { CallId } from '../../../shared/domain/ids'
import type { CancelSignal } from '../ports/cancelSignal'
import type { CommandRunner } from '../ports/commandRunner'
import type { Judgement } from '../policy/judgeCall'
import type { ToolContext } from '../tools/defineTool'
import type { Turn, TurnPorts } from './turnPorts'

/** A handler's world for one call: its judged places, its signal, and live output that goes to the screen. */
export function contextOf({ callId, step }: { readonly callId: CallId; readonly step: number }, { places, parts }: Pick<Judgement, 'places' | 'parts'>, shown: ApprovalPreview | null, turn: Turn, ports: TurnPorts, signal: CancelSignal): ToolContext {
  const byPath = new Map(places.map((place) => [place.path, place.facts]))
  return {
    callId,
    root: ports.root,
    fs: ports.judge.fs,
    search: ports.search,
    commands: reachable(callId, ports),
    blobs: ports.blobs,
    hasher: ports.hasher,
    readLog: ports.readLog,
    hintLog: ports.hintLog,
    parts,
    signal,
    sandbox: ports.sandbox(),
    shown,
    place(path) {
      const facts = byPath.get(path)
      if (!facts) throw new Error(`path was not claimed: ${path}`)
      return facts
    },
    judgePath: (facts, use) => ports.judge.judgePath(facts, use),
    output: (ref) => ports.record.output(ref),
    origins: (text) => ports.record.origins(text),
    redact: ports.redact,
    used: async ({ choice, usage }) => {
      await ports.record.append([{ type: 'usage-reported', turnId: turn.turnId, step, usage, choice, purpose: 'rewrite', cost: await ports.spending.costOf(choice, usage) }])
    },
    emit: (text) => {
      if (!signal.aborted) ports.record.show(turn, step, { type: 'tool-output', callId, text })
    },
    started: async (pid) => {
      await ports.record.append([], [{ to: 'running', callId, pid }])
    },
  }
}

/** The runner, telling the host which command runs for the call so that the person can type into it. */
function reachable(callId: CallId, ports: TurnPorts): CommandRunner {
  return {
    ...bound(ports.commands),
    async start(start, onOutput, signal) {
      const running = await ports.commands.start(start, onOutput, signal)
      if (running.ok) {
        ports.running(callId, running.value)
        void running.value.ended.finally(() => ports.running(callId, null))
      }
      return running
    },
  }
}

function bound(runner: CommandRunner): CommandRunner {
  return {
    start: (start, onOutput, signal) => runner.start(start, onOutput, signal),
    leftRunning: () => runner.leftRunning(),
    endProgram: (pid) => runner.endProgram(pid),
    closeAll: () => runner.closeAll(),
  }
}
