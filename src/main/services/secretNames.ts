/** The secret store is shared: a provider that took one of these names would send that secret to its address, or remove it. */
export function isOthersSecret(id: string): boolean {
  return id.startsWith('mcp/') || id.startsWith('endpoint:') || id === 'audit-log'
}
