import { useMemo } from 'react'
import { classes } from './classes'
import { cutPath, exactPieces, readablePieces, type ExactPiece } from './hiddenText'
import { useWords } from './words'

/** Text from outside, exactly: hidden characters as boxed code points, isolated from the direction of the words around it. */
export function Exact({ text, className }: { readonly text: string; readonly className?: string }) {
  const pieces = useMemo(() => exactPieces(text), [text])
  return <bdi className={classes('exact', className)}><Pieces pieces={pieces} /></bdi>
}

/** Text that is read rather than signed: hidden characters are boxes too, but joined emoji stay whole. */
export function Readable({ text, area }: { readonly text: string; readonly area: 'prose' | 'code' }) {
  const pieces = useMemo(() => readablePieces(text, area), [text, area])
  return <Pieces pieces={pieces} />
}

function Pieces({ pieces }: { readonly pieces: readonly ExactPiece[] }) {
  return pieces.map((piece, at) => (piece.kind === 'text' ? piece.text : <HiddenBox key={at} code={piece.code} name={piece.name} />))
}

/** The box of one hidden character. */
export function HiddenBox({ code, name }: Omit<Extract<ExactPiece, { readonly kind: 'hidden' }>, 'kind'>) {
  const say = useWords()
  return <span className="hid" data-character={String.fromCodePoint(Number.parseInt(code.slice(2), 16))} title={say(`ui.hidden.${name}`)}>{code}</span>
}

/** A path: cut in the middle where it is long, whole in tooltip and name. */
export function PathText({ path, limit = 48, className }: { readonly path: string; readonly limit?: number; readonly className?: string }) {
  const shown = cutPath(path, limit)
  if (shown === path) return <Exact text={path} className={classes('mono', className)} />
  return <span title={path}><span className="sr"><Exact text={path} /></span><span aria-hidden><Exact text={shown} className={classes('mono', className)} /></span></span>
}
