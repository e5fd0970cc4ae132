import type { TerminalProps } from './terminalProps'
import { lazyPart } from './lazyPart'

/** A live terminal, loaded when first opened. */
export const Terminal = lazyPart<TerminalProps>(
  () => import('./terminalView').then((module) => module.TerminalView),
  () => <div className="code" style={{ height: 240 }} />,
)
