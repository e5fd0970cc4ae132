/** MCP servers as the host and the model speak of them: states, faults, advice, notes on the card. */
export const mcp = {
  'mcp.gone': 'The MCP server {server} is no longer connected.',
  'mcp.content-too-large': 'This is too large to be shown here ({bytes} bytes).',
  'mcp.call-done': 'Tool {tool} of the MCP server {server} has answered.',
  'mcp.call-failed': 'Tool {tool} of the MCP server {server} reports an error.',
  'mcp.name-empty': 'A server needs a name.',
  'mcp.variable-not-set': 'The variable {name} is not set and has no default.',
  'mcp.secret-not-set': 'The secret {name} is not in the keychain.',
  'mcp.tool-off': 'The tool {tool} of {server} is switched off, or the server offers it no more.',
  'mcp.tool-changed': '{server} changed its tool {tool} since you accepted it. Allowing this call accepts the new definition.',
  'mcp.changed-meanwhile': '{server} changed its tool {tool} while this call waited. Nothing was run. Send the call again if it is still wanted.',
} as const
