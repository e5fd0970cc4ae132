import type { McpImportable } from '../../core/ports/mcpConfig'

/** Where a person's files lie. */
export interface Places {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

export function scanOthers(places: Places): Promise<readonly McpImportable[]> {
  return Promise.resolve(places.home === '' ? [] : [])
}
