import type { Program, ProgramPort, ProgramWatch } from '../../core/ports/programWatch'
import { listenersOf, type Listener } from '../../native/listeners'
import { descendants } from '../../native/processTreeTable'
import { speaksHttp } from './httpQuestion'

/** A server that builds before it answers is asked again, at ever longer distances. */
const mostQuestions = 6

interface Answer {
  isHttp: boolean
  questions: number
  /** Looks until it is asked again. */
  wait: number
}

/** Finds the ports of programs. Whoever asks while it looks gets the same answer. */
export function makeProgramWatch(leftRunning: () => readonly Omit<Program, 'ports'>[]): Pick<ProgramWatch, 'programs'> {
  let answers = new Map<string, Answer>()
  let looking: Promise<readonly Program[]> | undefined

  const ask = async ({ inode, address, port }: Listener): Promise<ProgramPort> => {
    const answer = answers.get(inode) ?? { isHttp: false, questions: 0, wait: 0 }
    answers.set(inode, answer)
    if (!answer.isHttp && answer.questions < mostQuestions && answer.wait-- <= 0) {
      answer.questions += 1
      answer.wait = 2 ** answer.questions
      answer.isHttp = await speaksHttp(address, port)
    }
    return { port, isHttp: answer.isHttp }
  }
  const look = async (): Promise<readonly Program[]> => {
    const programs = leftRunning()
    const found = await Promise.all(programs.map(({ pid }) => listenersOf([pid, ...[...descendants(pid)].map((row) => row.pid)])))
    const open = new Set(found.flat().map(({ inode }) => inode))
    answers = new Map([...answers].filter(([inode]) => open.has(inode)))
    return Promise.all(programs.map(async ({ callId, pid, command }, at) => ({ callId, pid, command, ports: portsOf(await Promise.all((found[at] ?? []).map(ask))) })))
  }
  return {
    programs() {
      looking ??= look().finally(() => (looking = undefined))
      return looking
    },
  }
}

/** One socket for each family may stand behind a port. */
function portsOf(all: readonly ProgramPort[]): readonly ProgramPort[] {
  const numbers = [...new Set(all.map(({ port }) => port))].sort((a, b) => a - b)
  return numbers.map((port) => ({ port, isHttp: all.some((one) => one.port === port && one.isHttp) }))
}
