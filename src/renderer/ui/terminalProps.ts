export interface TerminalProps {
  readonly name: string
  /** Calls back with all output so far and then with each new piece; returns a stop. Data never passes through React. */
  readonly subscribe: (onData: (text: string) => void) => () => void
  /** Absent for a program that has ended: nothing can be typed then. */
  readonly onInput?: (text: string) => void
  /** What is looked for in it, and the how manieth hit is shown; null: nothing. */
  readonly find?: { readonly pattern: RegExp; readonly nth: number } | null
  readonly onResize?: (columns: number, rows: number) => void
}
