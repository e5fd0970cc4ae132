import type { RuleShape, RuleWord } from '../../../shared/domain/rule'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { reachOf } from './wider'

/** What would be answered for longer, word by word, exactly as it is kept; and what that covers beyond this call (e14). */
export function ShapeTokens({ shapes, runsProject }: { readonly shapes: readonly RuleShape[]; readonly runsProject: boolean }) {
  const say = useWords()
  const reaches = [...new Set(shapes.map(reachOf).filter((reach) => reach !== null))]
  return (
    <>
      <ul className="shapes" aria-label={say('approval.wider.covers')}>{shapes.map((shape, at) => <li key={at}><Shape shape={shape} /></li>)}</ul>
      {reaches.map((reach) => <p key={reach} className="small t-warn">{say(`approval.wider.reach.${reach}`)}</p>)}
      {runsProject && <p className="small t-warn">{say('approval.wider.reach.script')}</p>}
    </>
  )
}

function Shape({ shape }: { readonly shape: RuleShape }) {
  const say = useWords()
  switch (shape.kind) {
    case 'command': return <>{shape.words.map((word, at) => <Word key={at} word={word} />)}{shape.isOpen && <span className="tok any">{say('approval.wider.open')}</span>}{shape.folder !== undefined && <InFolder folder={shape.folder} />}</>
    case 'files': return <><span className="tok"><Exact text={shape.tool} /></span><span className={shape.glob.includes('*') ? 'tok any' : 'tok'}><Exact text={shape.glob} /></span></>
    case 'tool': return <><span className="tok"><Exact text={shape.tool} /></span><span className="tok any">{say('approval.wider.any-arguments')}</span></>
    case 'host': return <><span className="tok"><Exact text={shape.host} /></span><span className="tok any">{say('approval.wider.any-page')}</span></>
  }
}

function InFolder({ folder }: { readonly folder: string }) {
  const say = useWords()
  return <span className="small dim">{folder === '' ? say('approval.wider.in-root') : <>{say('approval.wider.in-folder')} <Exact text={folder} className="mono" /></>}</span>
}

function Word({ word }: { readonly word: RuleWord }) {
  const say = useWords()
  if (word.kind === 'any') return <span className="tok any">{say('approval.wider.any-word')}</span>
  return <span className={word.kind === 'pattern' ? 'tok any' : 'tok'}><Exact text={word.text} /></span>
}
