import { useMemo } from 'react'
import { classes } from './classes'
import { cutPath, exactPieces } from './hiddenText'
import { useWords } from './words'

/** Text from outside, exactly: hidden characters as boxed code points, isolated from the direction of the words around it. */
export function Exact({ text, className }: { readonly text: string; readonly className?: string }) {
  const pieces = useMemo(() => exactPieces(text), [text])
  const say = useWords()
  return (
    <bdi className={classes('exact', className)}>
      {pieces.map((piece, at) => (piece.kind === 'text' ? piece.text : <span key={at} className="hid" title={say(`ui.hidden.${piece.name}`)}>{piece.code}</span>))}
    </bdi>
  )
}

/** A path: cut in the middle where it is long, whole in tooltip and name. */
export function PathText({ path, limit = 48, className }: { readonly path: string; readonly limit?: number; readonly className?: string }) {
  const shown = cutPath(path, limit)
  if (shown === path) return <Exact text={path} className={classes('mono', className)} />
  return <span title={path}><span className="sr"><Exact text={path} /></span><span aria-hidden><Exact text={shown} className={classes('mono', className)} /></span></span>
}
