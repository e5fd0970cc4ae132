import type { CallArgs } from '../../../shared/domain/call'

/** Where text that the model has read came from. */
export type FlowSource = { readonly kind: 'server'; readonly server: string } | { readonly kind: 'secret-file' | 'project-file'; readonly path: string }

/** Arguments hold text of `source`; `sample` is a short piece of it, in one line, for the card. */
export interface FlowFinding {
  readonly source: FlowSource
  readonly sample: string
}

/** Remembers what came from where, bounded, and finds it again in arguments. One a session. */
export interface DataFlow {
  add(source: FlowSource, text: string): void
  /** Findings, one a source, the server that the arguments go to left out. */
  find(args: CallArgs, toServer: string): readonly FlowFinding[]
}

/** Makes an empty memory of flows. */
export function makeDataFlow(): DataFlow {
  const texts: { source: FlowSource; text: string }[] = []
  return {
    add: (source, text) => void texts.push({ source, text }),
    find: (args, toServer) =>
      texts.flatMap(({ source, text }) => {
        const value = Object.values(args).find((each): each is string => typeof each === 'string' && each.length >= 24 && text.includes(each))
        return value === undefined || (source.kind === 'server' && source.server === toServer) ? [] : [{ source, sample: value.slice(0, 60) }]
      }),
  }
}
