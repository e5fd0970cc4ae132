import type { ReactNode } from 'react'
import { lazyPart } from './lazyPart'
import type { ReviewEditorProps } from './reviewEditorProps'

interface Props extends ReviewEditorProps {
  /** Stands there until the editor is loaded, and where it cannot be. */
  readonly instead: ReactNode
}

/** A change in the editor, with what is decided about it. */
export const ReviewEditor = lazyPart<Props>(() => import('./reviewEditorView').then((module) => module.ReviewEditorView), ({ instead }) => <>{instead}</>)
