import type { search as english } from '../en/search'

export const search: Readonly<Record<keyof typeof english, string>> = {
  'search.hits': '{files} 个文件中有 {count} 行匹配。',
  'search.hits-cut': '只显示前 {count} 个匹配行，还有更多。请缩小匹配式、路径或通配式的范围。',
  'search.no-hits': '没有匹配。被忽略的文件和可能含有机密的文件没有搜索。',
  'search.files': '找到 {count} 个文件。',
  'search.files-cut': '只显示前 {count} 个文件，还有更多。请缩小通配式或路径的范围。',
  'search.no-files': '没有匹配的文件。被忽略的文件不列出。',
  'search.bad-pattern': '匹配式 {pattern} 不是有效的正则表达式：{problem}。请改正，或将 literal 设为 true 以按原文搜索。',
  'search.bad-glob': '通配式 {glob} 无效：{problem}。',
  'search.failed': '搜索失败：{problem}',
  'search.cancelled': '搜索已停止。',
}
