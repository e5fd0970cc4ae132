import { lazyPart } from './lazyPart'

export interface MarkdownProps {
  readonly text: string
  /** True while the text still grows: unclosed fences and marks are completed for drawing. */
  readonly isGrowing?: boolean
  /** Called for http and https links only; nothing else is a link. */
  readonly onOpenLink: (url: string) => void
}

/** An answer in Markdown. Raw HTML shows as text, images are named and not fetched. Plain text until its code is loaded. */
export const Markdown = lazyPart<MarkdownProps>(
  () => import('./markdownView').then((module) => module.MarkdownView),
  ({ text }) => <div className="prose wrap-any">{text}</div>,
)
