import { create } from 'zustand'
import type { EditorOffer } from '../../../shared/domain/editorCommand'
import { said, type Said } from '../../../shared/domain/result'
import { host } from '../../bridge/host'

/** The editors that were found on this system, and how the last test went. */
export const useEditors = create<{ readonly offers: readonly EditorOffer[]; readonly tested: { readonly isOk: boolean; readonly say: Said } | null; readonly isTesting: boolean }>(() => ({ offers: [], tested: null, isTesting: false }))

const { setState: set } = useEditors

/** Looks which known editors are there. */
export async function loadEditors(): Promise<void> {
  set({ offers: await host().editorList({}) })
}

/** Starts the kept editor on a file of the app's own. */
export async function testEditor(program: string): Promise<void> {
  set({ isTesting: true, tested: null })
  const done = await host().editorTest({})
  set({ isTesting: false, tested: done.ok ? { isOk: true, say: said('editor.test-ok', { program }) } : { isOk: false, say: done.fault } })
}

/** The command is another now. */
export function forgetTest(): void {
  set({ tested: null })
}
