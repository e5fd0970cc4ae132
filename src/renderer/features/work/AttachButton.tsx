import { Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../ui/Button'
import { useWords } from '../../ui/words'
import { takeFiles } from './fileStore'

/** Opens the system's own choice of files. */
export function AttachButton() {
  const say = useWords()
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton icon={Paperclip} label={say('attach.choose')} onClick={() => field.current?.click()} />
      <input ref={field} type="file" multiple hidden aria-hidden tabIndex={-1} data-attach onChange={({ currentTarget }) => { void takeFiles([...(currentTarget.files ?? [])]); currentTarget.value = '' }} />
    </>
  )
}
