import type { McpTransport } from '../../../shared/domain/mcp'
import type { WorkspaceId } from '../../../shared/domain/ids'
import type { Result, Said } from '../../../shared/domain/result'

/** A server as mcp.json has it; values hold `${VAR}`, `${VAR:-default}` and `${secret:NAME}` as written. */
export interface McpServerConfig {
  readonly name: string
  readonly transport: McpTransport
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly isDisabled: boolean
  readonly timeoutMs: number | null
  /** Whose `.mcp.json` it stands in (R43): it is only read, gets no secret, and what is kept of it is kept by folder. Absent: the app's own. */
  readonly project?: WorkspaceId
}

/** What reading mcp.json gave. `fault` (with line and column): the whole file cannot be read and is left alone; `faults`: entries that cannot be used. */
export interface McpConfigRead {
  readonly servers: readonly McpServerConfig[]
  readonly fault: Said | null
  readonly faults: readonly Said[]
}

/** Servers found in the configuration of another tool, or in a text that was pasted. */
export interface McpImportable {
  /** Path of the file; empty for a pasted text. */
  readonly source: string
  /** The tool's name as its makers write it. */
  readonly tool: string
  readonly servers: readonly McpServerConfig[]
  readonly faults: readonly Said[]
}

/** mcp.json in the data folder (R43): created when absent; comments, order and unknown keys survive byte for byte where nothing was changed (R44). */
export interface McpConfig {
  readonly path: string
  read(): Promise<McpConfigRead>
  /**
   * Writes one entry, under its new name when `previousName` is another; only the values that differ are touched. Fails over a
   * broken file, and where another entry has the name; `previousName` null: a new one. Atomic.
   */
  write(server: McpServerConfig, previousName: string | null): Promise<Result<null>>
  remove(name: string): Promise<Result<null>>
  /** Calls back when the file was changed by somebody else; returns a stop. */
  watch(listener: () => void): () => void
  /** Reads the files of other tools where they usually lie; nothing is written. */
  scanOthers(): Promise<readonly McpImportable[]>
  /** Reads a pasted text: JSON or TOML of any known shape, or one command line. */
  readPasted(text: string): Promise<Result<McpImportable>>
}
