import { Exact } from '../../ui/Exact'
import { sharedPieces } from './taintText'

/** Text from outside, exactly, with the runs of words that stand in another text from outside marked. */
export function Marked({ text, shared }: { readonly text: string; readonly shared: readonly string[] }) {
  if (shared.length === 0) return <Exact text={text} />
  return sharedPieces(text, shared).map((piece, at) => (piece.isShared ? <mark key={at} className="shared"><Exact text={piece.text} /></mark> : <Exact key={at} text={piece.text} />))
}
