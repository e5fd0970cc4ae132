import { useState, type DragEvent } from 'react'
import { takeFiles } from './fileStore'

/** What makes a part of the page take files that are dropped on it; `isOver` while some are held over it. */
export function useDrop() {
  const [isOver, setIsOver] = useState(false)
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')
  return {
    isOver,
    onDragOver: (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setIsOver(true)
    },
    onDragLeave: (event: DragEvent): void => { if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false) },
    onDrop: (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(false)
      void takeFiles([...event.dataTransfer.files])
    },
  }
}
