import { Readable } from './Exact'
import type { MarkdownProps } from './markdownProps'
import { lazyPart } from './lazyPart'

/** An answer in Markdown. Raw HTML shows as text, images are named and not fetched. Plain text until its code is loaded. */
export const Markdown = lazyPart<MarkdownProps>(
  () => import('./markdownView').then((module) => module.MarkdownView),
  ({ text }) => <div className="prose wrap-any"><Readable text={text} area="prose" /></div>,
)
