/** The servers page (DESIGN 5.8). */
export const servers = {
  'servers.title': 'Servers',
} as const
