import { Copy, FileText, FolderOpen, SquareArrowOutUpRight } from 'lucide-react'
import { useContext } from 'react'
import type { CallView } from '../../../shared/domain/chatView'
import { Button } from '../../ui/Button'
import { FileLinksContext, TextOriginContext, useNamedFiles } from '../../ui/fileLinks'
import { useWords } from '../../ui/words'
import { isCommand } from './callWords'

/** What can be done with what a call is about: its command copied, its file opened, here or in the person's editor. */
export function CallActions({ call }: { readonly call: CallView }) {
  const say = useWords()
  const command = isCommand(call) && typeof call.args?.['command'] === 'string' ? call.args['command'] : null
  const path = call.mcp === null && typeof call.args?.['path'] === 'string' ? call.args['path'] : null
  if (command !== null) return <div className="row" style={{ padding: '0 14px 8px' }}><Button size="small" look="quiet" icon={Copy} onClick={() => void navigator.clipboard.writeText(command)}>{say('files.copy-command')}</Button></div>
  return path === null ? null : <FileActions name={path} />
}

function FileActions({ name }: { readonly name: string }) {
  const say = useWords()
  const links = useContext(FileLinksContext)
  const origin = useContext(TextOriginContext)
  const path = useFileOf(name)
  if (links === null || path === null) return null
  return (
    <div className="row" style={{ padding: '0 14px 8px', flexWrap: 'wrap' }}>
      <Button size="small" look="quiet" icon={FileText} onClick={() => links.open({ path, line: null, column: null }, origin)}>{say('files.open-file')}</Button>
      <Button size="small" look="quiet" icon={SquareArrowOutUpRight} onClick={() => links.openInEditor(path)}>{say('files.open-editor')}</Button>
      <Button size="small" look="quiet" icon={FolderOpen} onClick={() => links.showInFolder(path)}>{say('files.show-folder')}</Button>
      <Button size="small" look="quiet" icon={Copy} onClick={() => void navigator.clipboard.writeText(path)}>{say('files.copy-path')}</Button>
    </div>
  )
}

/** The file that a whole argument means, whatever its name looks like. */
function useFileOf(name: string): string | null {
  const links = useContext(FileLinksContext)
  const found = useNamedFiles(name === '' ? '' : `"${name}":1`)
  return found[0] === undefined ? null : (links?.known(found[0].path, null) ?? null)
}
