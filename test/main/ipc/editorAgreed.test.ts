import { expect, test } from 'vitest'
import { agreeToEditor } from '../../../src/main/ipc/fileHandlers'
import type { HostServices } from '../../../src/main/services/hostServices'
import { defaultSettings } from '../../../src/shared/domain/settings'

const offer = { name: 'Zed', command: 'zed {path}:{line}:{column}' }

/** What is asked outside the page for a command, and the answer. */
async function agreed(command: string | undefined, isYes: boolean, kept = ''): Promise<{ readonly asked: readonly (readonly string[])[]; readonly code: string }> {
  const asked: (readonly string[])[] = []
  const host = { settings: { read: () => Promise.resolve({ settings: { ...defaultSettings, editorCommand: kept }, faults: [] }) }, files: { editors: () => Promise.resolve([offer]) } } as unknown as Pick<HostServices, 'settings' | 'files'>
  const result = await agreeToEditor(command, host, { confirmEditor: (words) => { asked.push(words); return Promise.resolve(isYes) } })
  return { asked, code: result.ok ? 'ok' : result.fault.code }
}

test('R111 a program that the page names as editor is agreed to outside the page, word by word', async () => {
  expect(await agreed('/opt/editor --x {path}', true)).toEqual({ asked: [['/opt/editor', '--x', '{path}']], code: 'ok' })
  expect(await agreed('/opt/editor --x {path}', false)).toEqual({ asked: [['/opt/editor', '--x', '{path}']], code: 'editor.kept' })
})

test('R111 nobody is asked for an editor that was found, that is kept already, for none, and for what is refused', async () => {
  expect(await agreed(offer.command, false)).toEqual({ asked: [], code: 'ok' })
  expect(await agreed('/opt/editor {path}', false, '/opt/editor {path}')).toEqual({ asked: [], code: 'ok' })
  expect(await agreed('', false)).toEqual({ asked: [], code: 'ok' })
  expect(await agreed(undefined, false)).toEqual({ asked: [], code: 'ok' })
  expect(await agreed('bash -c {path}', true)).toEqual({ asked: [], code: 'editor.shell' })
})
