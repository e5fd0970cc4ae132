import type { audit as english } from '../en/audit'

export const audit: Readonly<Record<keyof typeof english, string>> = {
  'audit.busy': '进程 {pid} 正锁定 {file} 中的审计日志，因此无法记录。没有记录就不再执行任何操作。请稍后再试。',
  'audit.unusable': '无法写入 {file} 中的审计日志：{problem}。没有记录就不再执行任何操作。请检查该文件夹后重试。',
  'audit.not-exported': '无法将审计日志导出到 {file}：{problem}。请换个位置再试。',
}
