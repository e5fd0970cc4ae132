import { readEditorCommand } from '../../shared/domain/editorCommand'
import { fail, succeed, type Result } from '../../shared/domain/result'
import type { HostServices } from '../services/hostServices'
import type { Handlers } from './answer'
import type { WindowAbilities } from './windowAbilities'

/**
 * A command of the person's editor is started later without a question, so a new one is agreed to here, outside the page; one
 * of the editors that were found on this system needs no word.
 */
export async function agreeToEditor(command: string | undefined, { settings, files }: Pick<HostServices, 'settings' | 'files'>, window: Pick<WindowAbilities, 'confirmEditor'>): Promise<Result<null>> {
  if (command === undefined || command.trim() === '' || command === (await settings.read()).settings.editorCommand) return succeed(null)
  const words = readEditorCommand(command)
  if (!words.ok) return words
  if ((await files.editors()).some((offer) => offer.command === command)) return succeed(null)
  return (await window.confirmEditor(words.value)) ? succeed(null) : fail('editor.kept')
}

type Part<Prefix extends string> = Pick<Handlers, Extract<keyof Handlers, `${Prefix}/${string}`>>

/** The files of the opened folder for the person, and their editor. */
export function fileHandlers({ files }: HostServices, window: WindowAbilities): Part<'file' | 'editor'> {
  return {
    'file/read': ({ path, isAsked }) => files.read(path, isAsked),
    'file/known': ({ names, base }) => files.known(names, base),
    'file/find': ({ query }) => files.find(query),
    'file/open': async (place) => {
      const opened = await files.open(place)
      if (!opened.ok) return opened
      const { system } = opened.value
      if (system === null) return succeed(null)
      return (await window.openBySystem(system)) ? succeed(null) : fail('editor.system-failed', { path: place.path })
    },
    'file/show': async ({ path }) => {
      const place = await files.placeOf(path)
      if (!place.ok) return place
      window.showFile(place.value)
      return succeed(null)
    },
    'editor/list': () => files.editors(),
    'editor/test': () => files.testEditor(),
  }
}
