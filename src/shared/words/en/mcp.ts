/** MCP servers as the host and the model speak of them: states, faults, advice, notes on the card. */
export const mcp = {
  'mcp.gone': 'The MCP server {server} is no longer connected.',
  'mcp.content-too-large': 'This is too large to be shown here ({bytes} bytes).',
} as const
