import type { NetworkFacts } from '../../../shared/ipc/modelViews'
import { Exact, PathText } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'

/** How requests leave this computer, and what chose it; changed where it comes from. */
export function NetworkCard({ network: { proxies, exempt, authority } }: { readonly network: NetworkFacts }) {
  const say = useWords()
  return (
    <section className="card modelfacts" aria-label={say('provider.network')}>
      <h3 className="med">{say('provider.network')}</h3>
      <p className="small dim">{say('provider.network-about')}</p>
      <dl className="kv">
        <dt>{say('provider.proxy')}</dt>
        <dd>{proxies.length === 0 ? say('provider.proxy-none') : proxies.map(({ variable, host }) => <div key={variable}><Exact text={host} className="mono" /> <span className="small faint">{say('provider.proxy-from', { variable })}</span></div>)}</dd>
        {exempt && <><dt>{say('provider.exempt')}</dt><dd><Exact text={exempt.hosts} className="mono wrap-any" /> <span className="small faint">{say('provider.proxy-from', { variable: exempt.variable })}</span></dd></>}
        <dt>{say('provider.authority')}</dt>
        <dd>{authority === null ? say('provider.authority-none') : <><PathText path={authority.file} /> <span className="small faint">{say(`provider.authority.${authority.from}`, { variable: authority.variable ?? '' })}</span></>}</dd>
      </dl>
      {authority?.isRead === false && <Note tone="warn">{say('provider.authority-unread')}</Note>}
    </section>
  )
}
