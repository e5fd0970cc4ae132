import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReviewEditorProps } from './reviewEditorProps'
import { foldsOf } from './reviewRows'
import { barName, foldName, ReviewStage } from './reviewStage'
import { Removed } from './RemovedLines'
import { useWords } from './words'

/** A change in Monaco, side by side or one under the other, with a bar above each block that is decided about. */
export function ReviewEditorView({ left, right, blocks, ownLines, bars, isInline, path, name, sideNames, isReadOnly = false, onType, focusTicket, shown }: ReviewEditorProps) {
  const say = useWords()
  const places = { left: useRef<HTMLDivElement>(null), right: useRef<HTMLDivElement>(null), layer: useRef<HTMLDivElement>(null) }
  const stage = useRef<ReviewStage | null>(null)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const tell = useRef(onType)
  useEffect(() => { tell.current = onType })
  const { before, after } = sideNames
  const { left: leftPlace, right: rightPlace, layer: layerPlace } = places
  useLayoutEffect(() => {
    if (!leftPlace.current || !rightPlace.current || !layerPlace.current) return
    const made = new ReviewStage({ left: leftPlace.current, right: rightPlace.current, layer: layerPlace.current }, path, { before, after }, (value, edits) => tell.current(value, edits))
    stage.current = made
    return () => {
      stage.current = null
      made.dispose()
    }
  }, [leftPlace, rightPlace, layerPlace, path, before, after])
  useLayoutEffect(() => stage.current?.setReadOnly(isReadOnly), [isReadOnly, path, before, after])
  useLayoutEffect(() => stage.current?.draw({ left, right, blocks, ownLines, isInline, opened }))
  useEffect(() => { if (focusTicket > 0) stage.current?.focus() }, [focusTicket])
  const { bar, ticket } = shown
  useEffect(() => { if (ticket > 0) stage.current?.reveal(bar) }, [bar, ticket])
  const folds = useMemo(() => foldsOf(blocks, { left: left.split('\n').length, right: right.split('\n').length }, opened), [blocks, left, right, opened])
  const removed = useMemo(() => (isInline ? left.split('\n') : null), [isInline, left])
  const numbered = blocks.filter((block) => block.bar !== null)
  return (
    <div className="rv" role="group" aria-label={name} data-inline={isInline}>
      <div className="rv-layer" ref={layerPlace}>
        {folds.map((fold) => (
          <button key={foldName(fold)} type="button" className="rv-fold" data-floats={foldName(fold)} onClick={() => setOpened(new Set([...opened, fold.left.from]))}>⋯ {say('ui.same-lines', { count: fold.left.to - fold.left.from })}</button>
        ))}
        {numbered.map((block) => (
          <div key={block.bar} data-floats={barName(block.bar ?? 0)} onFocus={() => stage.current?.reveal(block.bar ?? 0)}>
            {bars[block.bar ?? 0]}
            {removed && block.look === 'changed' && block.left.to > block.left.from && <Removed lines={removed.slice(block.left.from, block.left.to)} from={block.left.from} />}
          </div>
        ))}
      </div>
      <div className="rv-left" ref={leftPlace} />
      <div className="rv-right" ref={rightPlace} />
    </div>
  )
}
