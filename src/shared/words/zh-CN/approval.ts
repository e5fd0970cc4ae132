import type { approval as english } from '../en/approval'

export const approval: Readonly<Record<keyof typeof english, string>> = {
  'approval.gone': '这个问题已被回答或撤回。没有执行任何操作。',
  'approval.outdated': '这个答复对应的是问题的旧版本。请再看一次卡片。',
}
