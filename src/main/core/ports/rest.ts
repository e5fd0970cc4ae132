/** Asks for a pause: work that takes one stands still while `isOn`, though never for long. */
export interface Rest {
  readonly isOn: boolean
  /** Returns what ends the listening. */
  onChange(listener: (isOn: boolean) => void): () => void
}
