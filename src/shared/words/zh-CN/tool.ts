import type { tool as english } from '../en/tool'

export const tool: Readonly<Record<keyof typeof english, string>> = {
  'tool.unknown': '没有名为 {tool} 的工具。',
  'tool.bad-json': '参数不是 JSON：{problem}。没有执行任何操作。请用有效的 JSON 重新调用。',
  'tool.bad-arguments': '参数不符合工具要求：{problem}。没有执行任何操作。',
  'tool.cut-arguments': '输出在这次调用中途达到上限被截断。没有执行或写入任何内容。请分成更小的部分重发。',
  'tool.failed': '工具失败：{problem}',
  'tool.denied': '用户已拒绝。',
  'tool.denied-reason': '用户已拒绝：{reason}',
  'tool.edited-change': '用户在允许前修改了你的改动。以文件现在的内容为准，请保留。',
  'tool.edited-call': '用户在允许前修改了这次调用。实际运行的是：{args}',
  'tool.changed-meanwhile': '等待期间文件有变化，批准的内容已不是将要发生的事。没有运行任何操作。请重新查看后再调用。',
  'tool.denied-policy': '策略已拒绝：{reason} 任何人都不能批准，请换一种做法。',
  'tool.skipped': '用户已跳过。请不做这一步继续。',
  'tool.cancelled': '用户已取消。',
  'tool.interrupted': '在完成前被中断。',
  'tool.not-offered': '在“只读”询问级别下，工具 {tool} 不可用。',
  'tool.answered': '用户已回答。',
  'tool.plan-updated': '计划已更新：{total} 项中完成 {done} 项。',
  'tool.not-editable': '答复是一段编辑后的文本，但这次调用没有可编辑的文本。没有执行任何操作。',
  'tool.holds-secret': '参数中含有在此登记的密钥。没有执行任何操作。请不要写出密钥；命令从不需要包含它。',
}
