import type { Result } from '../../shared/domain/result'
import type { AskingLevel } from '../../shared/domain/session'
import type { Settings } from '../../shared/domain/settings'
import type { PushBodies } from '../../shared/ipc/schemas'
import type { McpTestStep } from '../../shared/ipc/views'
import type { Locale } from '../../shared/words/say'

/** What only the window host can do; each asks the person by a native dialog where it widens anything. */
export interface WindowAbilities {
  readonly version: string
  readonly platform: string
  locale(): Locale
  chooseFolder(): Promise<string | null>
  /** Loosening the asking level is confirmed here, never by the page alone (E19). While another question is open the answer is no. */
  confirmLooserLevel(level: AskingLevel): Promise<boolean>
  /** Opens https and mailto after showing the address; anything else does nothing. */
  openLink(url: string): Promise<void>
  /** The folder was opened: the title follows. */
  opened(root: string): void
  settingsChanged(settings: Settings): void
  /** A text file that the person chose in the system's dialog; null when they chose none. Over 64 MB, or no text, is a fault. */
  chooseTextFile(): Promise<Result<{ readonly name: string; readonly text: string }> | null>
  /** Saves a text where the person chose, whole or not at all; null when they chose nothing. */
  saveTextFile(suggestedName: string, text: string): Promise<Result<{ readonly path: string }> | null>
  /** A place to save at that the person chose in the system's dialog; null when they chose none. */
  chooseSaveFile(suggestedName: string): Promise<string | null>
  /** Shows a folder of ours in the system's file manager; false where none could. */
  showFolder(folder: string): Promise<boolean>
  /** A step of a provider's test is done. */
  providerTestStep(body: PushBodies['provider/test-step']): void
  /** Hands a file to the program that the system opens its kind with; false where there is none. */
  openBySystem(file: string): Promise<boolean>
  /** Shows a file in the system's file manager. */
  showFile(file: string): void
  /** Whether this program may be started whenever a file is opened. While another question is open the answer is no. */
  confirmEditor(words: readonly string[]): Promise<boolean>
  /** A step of a server's test is done. */
  mcpTestStep(body: { readonly ticket: string; readonly step: McpTestStep }): void
}
