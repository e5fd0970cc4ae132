/** Full outputs and large results, content-addressed, in the data folder. */
export interface BlobStore {
  put(bytes: Uint8Array): Promise<string>
  get(ref: string): Promise<Uint8Array | null>
}
