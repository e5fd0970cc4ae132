import { contextStates, type ContextBar, type ContextPage } from '../../../shared/ipc/contextViews'
import { useWords } from '../../ui/words'
import { percentOf, sumOfBar } from './contextSums'

/** The bars against the whole window, the limit as an amber line; kinds are told apart by pattern and word. */
export function Bars({ page }: { readonly page: ContextPage }) {
  const say = useWords()
  const { before, now, limitTokens, windowTokens } = page
  return (
    <div className="card ctxbars">
      {before && <Bar word={say('compaction.before')} bar={before} page={page} />}
      <Bar word={say(before ? 'compaction.after' : 'compaction.now')} bar={now} page={page} />
      <div className="row small dim ctxlegend">
        {contextStates.map((state) => <span key={state} className="row"><i className={`cz cz-${state} swatch`} aria-hidden />{say(`compaction.state.${state}`)}</span>)}
        <span className="end row"><i className="czlimit" aria-hidden />{say('compaction.limit', { percent: percentOf(limitTokens, windowTokens) })}</span>
      </div>
    </div>
  )
}

function Bar({ word, bar, page: { windowTokens, limitTokens } }: { readonly word: string; readonly bar: ContextBar; readonly page: ContextPage }) {
  const say = useWords()
  const tokens = sumOfBar(bar)
  // What does not fit is drawn to the edge, and said.
  const whole = Math.max(windowTokens, tokens)
  const parts = contextStates.filter((state) => bar[state] > 0)
  const name = [word, say('compaction.bar', { tokens, window: windowTokens, percent: percentOf(tokens, windowTokens) }), ...parts.map((state) => `${say(`compaction.state.${state}`)} ${bar[state].toLocaleString(say.locale)}`)].join(say.locale === 'en' ? ', ' : '，')
  return (
    <div className="ctxbar">
      <span className="med">{word}</span>
      <span className="czbar" role="img" aria-label={name}>
        {parts.map((state) => <i key={state} className={`cz cz-${state}`} style={{ width: `${(bar[state] / whole) * 100}%` }} />)}
        <b style={{ left: `${(limitTokens / whole) * 100}%` }} />
      </span>
      <span className="num">{say('compaction.bar', { tokens, window: windowTokens, percent: percentOf(tokens, windowTokens) })}</span>
    </div>
  )
}
