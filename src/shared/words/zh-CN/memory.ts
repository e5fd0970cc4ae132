import type { memory as english } from '../en/memory'

export const memory: Readonly<Record<keyof typeof english, string>> = {
  'memory.changed': '这条记忆在你查看之后已在别处更改。没有保存；请对比两个版本。',
}
