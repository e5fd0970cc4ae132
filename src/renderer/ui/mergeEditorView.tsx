import { useEffect, useLayoutEffect, useRef } from 'react'
import type { MergeEditorProps } from './mergeEditorProps'
import { MergeStage } from './mergeStage'

/** Three versions in Monaco, their lines level, scrolled together. */
export function MergeEditorView({ texts, blocks, path, name, names, isReadOnly, onType, onCaret, shown }: MergeEditorProps) {
  const places = { earlier: useRef<HTMLDivElement>(null), result: useRef<HTMLDivElement>(null), disk: useRef<HTMLDivElement>(null) }
  const stage = useRef<MergeStage | null>(null)
  const tell = useRef({ onType, onCaret })
  useEffect(() => { tell.current = { onType, onCaret } })
  const { earlier, result, disk } = places
  const { earlier: earlierName, result: resultName, disk: diskName } = names
  useLayoutEffect(() => {
    if (!earlier.current || !result.current || !disk.current) return
    const made = new MergeStage({ earlier: earlier.current, result: result.current, disk: disk.current }, path, { earlier: earlierName, result: resultName, disk: diskName }, {
      onType: (value, edits) => tell.current.onType(value, edits),
      onCaret: (line) => tell.current.onCaret(line),
    })
    stage.current = made
    return () => {
      stage.current = null
      made.dispose()
    }
  }, [earlier, result, disk, path, earlierName, resultName, diskName])
  useLayoutEffect(() => stage.current?.draw({ texts, blocks, isReadOnly }))
  const { block, ticket } = shown
  useEffect(() => { if (ticket > 0) stage.current?.reveal(block) }, [block, ticket])
  return <div className="mg" role="group" aria-label={name}><div ref={earlier} /><div ref={result} /><div ref={disk} /></div>
}
