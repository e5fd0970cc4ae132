export interface MarkdownProps {
  readonly text: string
  /** True while the text still grows: unclosed fences and marks are completed for drawing. */
  readonly isGrowing?: boolean
  /** Called for http and https links only; nothing else is a link. */
  readonly onOpenLink: (url: string) => void
}
