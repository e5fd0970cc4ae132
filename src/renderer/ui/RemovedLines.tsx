import { Exact } from './Exact'

/** Lines that go, above those that come in their place. */
export function Removed({ lines, from }: { readonly lines: readonly string[]; readonly from: number }) {
  return <div className="code">{lines.map((text, at) => <div key={at} className="dl del"><span>{from + at + 1}</span><span>−</span><span><Exact text={text} /></span></div>)}</div>
}
