/**
 * Copies what a text is, not how it is drawn (case e03): in a selection within one outside text, each box becomes the character
 * it stands for. A selection over more than that is copied as it is seen. Returns a stop.
 */
export function copyExactly(): () => void {
  const onCopy = (event: ClipboardEvent): void => {
    const text = exactSelection(document.getSelection())
    if (text === null || event.clipboardData === null) return
    event.clipboardData.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', onCopy)
  return () => document.removeEventListener('copy', onCopy)
}

/** The selected text with its hidden characters; null where the browser's own way serves. */
export function exactSelection(selection: Selection | null): string | null {
  if (selection === null || selection.rangeCount !== 1) return null
  const range = selection.getRangeAt(0)
  const around = range.commonAncestorContainer
  const element = around instanceof Element ? around : around.parentElement
  if (element?.closest('.exact') == null) return null
  const piece = range.cloneContents()
  const boxes = piece.querySelectorAll<HTMLElement>('.hid')
  if (boxes.length === 0) return null
  boxes.forEach((box) => box.replaceWith(box.dataset['character'] ?? ''))
  return piece.textContent
}
