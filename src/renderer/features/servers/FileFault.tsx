import { Exact } from '../../ui/Exact'
import { Note } from '../../ui/parts'
import { useWords } from '../../ui/words'
import { useServers } from './serverStore'

/** mcp.json cannot be read: where, and that nothing of it is touched. */
export function FileFault() {
  const say = useWords()
  const page = useServers((state) => state.page)
  if (!page?.fault) return null
  return (
    <div style={{ padding: '14px 20px 0' }}>
      <Note tone="bad" role="alert"><p className="med wrap-any"><Exact text={say.fact(page.fault)} /></p><p>{say('servers.read-only')}</p></Note>
    </div>
  )
}
