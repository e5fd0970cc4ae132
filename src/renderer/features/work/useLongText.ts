import { useEffect, type RefObject } from 'react'

/** From here on a text goes in at once. */
const longText = 20_000
const manyLines = 200

/** The browser takes text line by line, with an event and a layout for each: a thousand lines are seconds, ten thousand minutes. */
export function isLongText(text: string): boolean {
  if (text.length >= longText) return true
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines >= manyLines) return true
  }
  return false
}

/**
 * Puts a long text into the box at once, wherever it comes from: the clipboard, a drop, an input method, dictation, automation.
 * The browser's own undo of it is the price. Text still being composed cannot be taken over and is left to the browser.
 *
 * @param putIn gets the whole text that the box will hold, and where the caret belongs
 */
export function useLongText(box: RefObject<HTMLTextAreaElement | null>, putIn: (text: string, caret: number) => void): void {
  useEffect(() => {
    const field = box.current
    if (!field) return undefined
    const onBefore = (event: InputEvent): void => {
      const { data } = event
      if (data === null || !event.cancelable || !isLongText(data)) return
      event.preventDefault()
      const { selectionStart, selectionEnd, value } = field
      putIn(`${value.slice(0, selectionStart)}${data}${value.slice(selectionEnd)}`, selectionStart + data.length)
    }
    field.addEventListener('beforeinput', onBefore)
    return () => field.removeEventListener('beforeinput', onBefore)
  }, [box, putIn])
}
