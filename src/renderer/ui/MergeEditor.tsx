import type { ReactNode } from 'react'
import { lazyPart } from './lazyPart'
import type { MergeEditorProps } from './mergeEditorProps'

interface Props extends MergeEditorProps {
  /** Stands there until the editor is loaded, and where it cannot be. */
  readonly instead: ReactNode
}

/** Three versions of a text beside each other; the one in the middle is typed in. */
export const MergeEditor = lazyPart<Props>(() => import('./mergeEditorView').then((module) => module.MergeEditorView), ({ instead }) => <>{instead}</>)
