import type { app as english } from '../en/app'

export const app: Readonly<Record<keyof typeof english, string>> = {
  'app.database-module': '数据库模块无法加载：{problem}。没有任何改动，你的数据在 {file}。请重新安装本应用；如果是代码仓库，请运行“npm run setup”。',
  'app.database-unusable': '数据库 {file} 无法使用：{problem}。请检查磁盘是否可用、你是否有写入权限，然后重新启动。',
  'app.database-stopped': '数据库意外停止。此前保存的内容安全地存放在 {file}。请重新启动应用。',
  'app.database-busy': '另一个进程正占用数据库 {file}。内容没有保存，请稍后再试。',
  'app.database-opening': '进程 {pid} 打开数据库 {file} 已超过两分钟。请等它完成或结束它，然后重新启动。',
  'app.database-newer': '数据库 {file} 由更新版本的 Countersign 创建。现在以只读方式打开，其中内容不会改动。请更新本应用后继续。',
  'app.database-damaged': '数据库 {file} 已损坏。请重新启动应用：损坏的文件会移到一旁，可读的内容会保存下来。',
  'app.database-damaged-shared': '数据库 {file} 已损坏，而另一个 Countersign 正打开着它。请先关闭那一个，再重新启动以便恢复。',
  'app.database-recovered': '数据库曾损坏。损坏的文件保留为 {file}。已将 {saved} 行保存到新的数据库；对话中有 {lost} 条记录无法读取。',
  'app.database-recovered-unlisted': '数据库曾损坏。损坏的文件保留为 {file}。已将 {saved} 行保存到新的数据库；对话中有 {lost} 条记录无法读取，另有 {unlisted} 个对话因所属文件夹已无法得知而不再列出。',
  'app.database-recovery-finished': '数据库曾损坏，应用在恢复过程中退出。恢复现已完成。损坏的文件保留为 {file}。',
  'app.disk-full': '存放 {file} 的磁盘已满。内容没有保存。请腾出一些空间后重试。',
  'app.session-elsewhere': '另一个 Countersign（进程 {pid}）正在处理这个对话。请等它的本轮结束，或在那里停止。',
  'app.confirm-level': '从现在起减少询问？级别将变为“{level}”。',
  'app.confirm-link': '在副署之外打开这个地址？{address}',
  'app.confirm-yes': '是',
  'app.confirm-no': '否',
  'app.not-reopened': '没有重新打开上次的文件夹。{reason}请在下面打开文件夹。',
  'app.not-reopened-crashed': '最近 {starts} 次启动都在打开 {root} 后不久中断，因此这次没有重新打开。可在下面再试一次，或打开其他文件夹。',
}
