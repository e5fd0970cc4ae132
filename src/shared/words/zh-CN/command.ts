import type { command as english } from '../en/command'

export const command: Readonly<Record<keyof typeof english, string>> = {
  'command.exit': '命令结束，退出码 {exitCode}。',
  'command.exit-signal': '命令结束，退出码 {exitCode}，代表信号 {signal}。',
  'command.not-found': '{first}该退出码表示找不到程序。已在以下位置查找：{folders}。请写出完整路径，或在启动副署的环境中设置 PATH。',
  'command.lost': '命令被外部用 {signal} 终止，退出码未知。',
  'command.timed-out': '超时（timeout）：命令在 {seconds} 秒后被终止。如需更久，请设置更长的 timeout_seconds。',
  'command.cancelled': '命令已由用户停止。',
  'command.cut': '{first}输出共 {totalBytes} 字节，此处省略中间部分，用 cat 读取 {outputRef} 可看到完整内容。',
  'command.left-running': '{first}有 {count} 个程序仍在运行：{programs}。之后的命令看不到也无法结束它们；你可以结束，退出程序时也会结束。',
  'command.not-started': '命令在开始前已停止。',
  'command.no-shell': '这里无法运行命令：在 {folders} 中找不到 bash。请安装 bash 后重试。',
  'command.no-terminal': '这里无法运行命令：无法打开终端（{problem}）。没有运行任何命令。请关闭占用大量终端的程序，或重新安装本程序。',
  'command.no-folder': '文件夹 {folder} 已不存在。没有运行任何命令。如果它是项目文件夹，请在新位置重新打开。',
  'command.unusable-text': '命令含有零字符或半个字符，无法交给 shell。没有运行任何命令。',
  'command.too-long': '命令有 {sizeBytes} 字节，系统最多接受 {limitBytes} 字节。没有运行任何命令。请写入文件后运行。',
  'command.output-gone': '完整输出已不在存储中。',
}
