import type { audit as english } from '../en/audit'

export const audit: Readonly<Record<keyof typeof english, string>> = {
  'audit.busy': '进程 {pid} 正锁定 {file} 中的审计日志。没有记录，因此也没有执行。请稍后再试。',
  'audit.unusable': '无法写入 {file} 中的审计日志：{problem}。没有记录就不会执行。请检查该文件夹后重试。',
}
