import { useState, type KeyboardEvent, type PointerEvent } from 'react'

interface SplitterProps {
  readonly label: string
  readonly size: number
  readonly min: number
  readonly max: number
  /** Which side the sized zone lies on. */
  readonly side: 'left' | 'right'
  readonly onResize: (size: number) => void
}

/** The line between two zones: drag it, or focus it and use the arrow keys. */
export function Splitter({ label, size, min, max, side, onResize }: SplitterProps) {
  const [from, setFrom] = useState<{ readonly x: number; readonly size: number } | null>(null)
  const resize = (next: number): void => onResize(Math.round(Math.min(max, Math.max(min, next))))
  const sign = side === 'left' ? 1 : -1
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    resize(size + sign * step)
  }
  const onDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setFrom({ x: event.clientX, size })
  }
  return (
    <div
      className="sep-v" role="separator" tabIndex={0} aria-orientation="vertical" aria-label={label} aria-valuenow={size} aria-valuemin={min} aria-valuemax={max}
      onKeyDown={onKey} onPointerDown={onDown} onPointerMove={(event) => { if (from) resize(from.size + sign * (event.clientX - from.x)) }}
      onPointerUp={() => setFrom(null)} onPointerCancel={() => setFrom(null)}
    />
  )
}
