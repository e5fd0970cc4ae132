/** MCP servers as the host and the model speak of them: states, faults, advice, notes on the card. */
export const mcp = {
  'mcp.gone': 'MCP 服务 {server} 已断开。',
  'mcp.content-too-large': '内容过大，无法在此显示（{bytes} 字节）。',
  'mcp.call-done': 'MCP 服务 {server} 的工具 {tool} 已返回结果。',
  'mcp.call-failed': 'MCP 服务 {server} 的工具 {tool} 报告错误。',
  'mcp.name-empty': '服务需要一个名称。',
  'mcp.variable-not-set': '变量 {name} 未设置，也没有默认值。',
  'mcp.secret-not-set': '钥匙串中没有密钥 {name}。',
  'mcp.tool-off': '{server} 的工具 {tool} 已关闭，或该服务不再提供它。',
  'mcp.tool-changed': '{server} 在你接受之后更改了它的工具 {tool}。允许本次调用即接受新的定义。',
  'mcp.changed-meanwhile': '在本次调用等待期间，{server} 更改了它的工具 {tool}。没有运行任何内容。如果仍然需要，请重新发起调用。',
} as const
