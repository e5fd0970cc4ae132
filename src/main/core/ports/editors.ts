import type { EditorOffer } from '../../../shared/domain/editorCommand'
import type { Result } from '../../../shared/domain/result'

/** Editors of this system, started without a shell. */
export interface Editors {
  /** Those of the known ones whose program is on the search path. */
  detected(): Promise<readonly EditorOffer[]>
  /**
   * Starts a program with these arguments and leaves it alone. A bare name is looked up on the search path of the person, whose
   * relative entries are passed over; one that lies in `forbidden`, the opened folder, is never started (`editor.in-project`).
   * `editor.not-found` and `editor.failed` where it is not there or ends at once with a fault. The program outlives the app.
   */
  start(program: string, args: readonly string[], forbidden: string | null): Promise<Result<null>>
}
