/** Makes full-length unique ids (R94), sortable by the time of their making. */
export interface IdSource {
  next(): string
  /** A random one-time number, 128 bits, hex; made only in main (E19). */
  nonce(): string
}
