import type { web as english } from '../en/web'

export const web: Readonly<Record<keyof typeof english, string>> = {
  'web.no-address': '{url} 不是 http 或 https 网址。',
}
