import type { MessageBoxOptions } from 'electron'
import { said, type Said } from '../../../shared/domain/result'
import type { AskingLevel } from '../../../shared/domain/session'
import { say, type Locale } from '../../../shared/words/say'

/** Which button of a question means yes; the other one is the default, and what closing it means. */
export const yes = 1

/** Whether the app may ask less from now on (E19): in the words the person chose it by, with what that lets happen. */
export function levelQuestion(locale: Locale, level: AskingLevel): MessageBoxOptions {
  return question(locale, said('app.confirm-level', { level: say(locale, said(`ui.level.${level}`)) }), said(`ui.level-hint.${level}`))
}

/** Whether an address may be opened outside the app, shown as a browser would read it (E15). */
export function linkQuestion(locale: Locale, address: string): MessageBoxOptions {
  return question(locale, said('app.confirm-link', { address }))
}

/** Whether a program may be started whenever a file is opened, each of its words on a line of its own. */
export function editorQuestion(locale: Locale, words: readonly string[]): MessageBoxOptions {
  return question(locale, said('app.confirm-editor'), said('app.confirm-editor-about', { command: words.join('\n') }))
}

function question(locale: Locale, asked: Said, more?: Said): MessageBoxOptions {
  return {
    type: 'question',
    buttons: [say(locale, said('app.confirm-no')), say(locale, said('app.confirm-yes'))],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    message: say(locale, asked),
    ...(more === undefined ? {} : { detail: say(locale, more) }),
  }
}
