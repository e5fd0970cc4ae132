import type { RuleShape, RuleWord } from '../../../shared/domain/rule'
import { Exact } from '../../ui/Exact'
import { useWords } from '../../ui/words'
import { toolText } from './ruleWords'

/** What a rule or grant is about, word by word, exactly as it is kept; what is free in it looks and reads differently. */
export function ShapeView({ shape }: { readonly shape: RuleShape }) {
  const say = useWords()
  switch (shape.kind) {
    case 'command': return <span className="toks">{shape.words.map((word, at) => <Word key={at} word={word} />)}{shape.isOpen && <span className="tok any">{say('approval.wider.open')}</span>}{shape.folder !== undefined && <span className="small dim">{shape.folder === '' ? say('approval.wider.in-root') : <>{say('approval.wider.in-folder')} <Exact text={shape.folder} className="mono" /></>}</span>}</span>
    case 'files': return <span className="toks"><span className="tok verb">{toolText(shape.tool, say)}</span><span className={shape.glob.includes('*') ? 'tok any' : 'tok'}><Exact text={shape.glob} /></span></span>
    case 'tool': return <span className="toks"><span className="tok"><Exact text={shape.tool} /></span><span className="tok any">{say('approval.wider.any-arguments')}</span></span>
    case 'host': return <span className="toks"><span className="tok"><Exact text={shape.host} /></span><span className="tok any">{say('approval.wider.any-page')}</span></span>
  }
}

function Word({ word }: { readonly word: RuleWord }) {
  const say = useWords()
  if (word.kind === 'any') return <span className="tok any">{say('approval.wider.any-word')}</span>
  return <span className={word.kind === 'pattern' ? 'tok any' : 'tok'}><Exact text={word.text} /></span>
}
