/** MCP servers as the host and the model speak of them: states, faults, advice, notes on the card. */
export const mcp = {
  'mcp.gone': 'MCP 服务 {server} 已断开。',
  'mcp.content-too-large': '内容过大，无法在此显示（{bytes} 字节）。',
} as const
