import type { find as english } from '../en/find'

export const find: Readonly<Record<keyof typeof english, string>> = {
  'find.bar': '在对话中查找',
  'find.input': '查找',
  'find.next': '下一处',
  'find.previous': '上一处',
  'find.case': '区分大小写',
  'find.word': '全词匹配',
  'find.close': '关闭查找',
  'find.count': '第 {at} 处，共 {count} 处',
  'find.many': '第 {at} 处，超过 {count} 处',
  'find.none': '没有找到',
  'find.searching': '正在查找…',
}
