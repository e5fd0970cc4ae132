export const web = {
  'web.no-address': '{url} is no http or https address.',
} as const
