import { Exact } from './Exact'
import { lazyPart } from './lazyPart'
import type { TextEditorProps } from './textEditorProps'

/** A file to read, in the editor; plain text until it is loaded. */
export const TextEditor = lazyPart<TextEditorProps>(
  () => import('./textEditorView').then((module) => module.TextEditorView),
  ({ text, name }) => <div className="code" role="region" aria-label={name} tabIndex={0} style={{ overflow: 'auto', height: '100%', padding: '6px 12px' }}><Exact text={text} /></div>,
)
