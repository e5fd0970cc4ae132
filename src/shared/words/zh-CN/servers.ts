/** The servers page (DESIGN 5.8). */
export const servers = {
  'servers.title': '服务',
} as const
