import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal as Xterm, type ITheme } from '@xterm/xterm'
import { useContext, useEffect, useRef } from 'react'
import { FileLinksContext, TextOriginContext } from './fileLinks'
import { linkFiles, showHit } from './terminalLinks'
import type { TerminalProps } from './terminalProps'

function themeOf(element: HTMLElement): ITheme {
  const style = getComputedStyle(element)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  return {
    background: token('--bg-code'), foreground: token('--fg-1'), cursor: token('--fg-1'), selectionBackground: token('--sel'),
    black: token('--bg-3'), red: token('--bad-text'), green: token('--ok-text'), yellow: token('--warn-text'), blue: token('--info-text'), magenta: token('--agent-text'), cyan: token('--you-text'), white: token('--fg-2'),
    brightBlack: token('--fg-3'), brightRed: token('--bad'), brightGreen: token('--ok'), brightYellow: token('--warn'), brightBlue: token('--info'), brightMagenta: token('--agent'), brightCyan: token('--you'), brightWhite: token('--fg-1'),
  }
}

/** xterm in a box of fixed height. Its text box is named, Tab leaves it while nothing can be typed. */
export function TerminalView({ name, subscribe, onInput, onResize, find = null }: TerminalProps) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef<Xterm>(null)
  const handlers = useRef({ onInput, onResize })
  useEffect(() => { handlers.current = { onInput, onResize } })
  const canType = onInput !== undefined
  const links = useContext(FileLinksContext)
  const { base, seq } = useContext(TextOriginContext)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const terminal = new Xterm({ fontFamily: getComputedStyle(element).getPropertyValue('--font-mono'), fontSize: 12, lineHeight: 1.3, scrollback: 5000, convertEol: true, disableStdin: !canType, theme: themeOf(element), linkHandler: { activate: () => undefined }, allowProposedApi: false })
    const fit = new FitAddon()
    terminal.loadAddon(fit)
    terminal.open(element)
    if (terminal.textarea) {
      terminal.textarea.setAttribute('aria-label', name)
      terminal.textarea.readOnly = !canType
    }
    const disposers = [
      ...(links === null ? [] : [linkFiles(terminal, links, { base, seq })]),
      terminal.onData((text) => handlers.current.onInput?.(text)),
      terminal.onResize(({ cols, rows }) => handlers.current.onResize?.(cols, rows)),
    ]
    const resized = new ResizeObserver(() => fit.fit())
    resized.observe(element)
    shown.current = terminal
    const stop = subscribe((text) => terminal.write(text))
    return () => {
      stop()
      resized.disconnect()
      disposers.forEach((one) => one.dispose())
      shown.current = null
      terminal.dispose()
    }
  }, [name, subscribe, canType, links, base, seq])
  // Behind what is still being written.
  useEffect(() => {
    const terminal = shown.current
    if (terminal && find) terminal.write('', () => showHit(terminal, find.pattern, find.nth))
  }, [find])
  return <div ref={box} className="code" style={{ height: 240, padding: '6px 10px' }} />
}
