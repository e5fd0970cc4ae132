import type { turn as english } from '../en/turn'

export const turn: Readonly<Record<keyof typeof english, string>> = {
  'turn.resumed': '上一轮还没有结束，先继续那一轮。请回答它的询问或将其停止，再发送这条消息。',
  'turn.failed': '本应用的故障中断了这一轮：{problem} 此前所做的都在时间线里。',
  'turn.done': '已完成。',
  'turn.cancelled': '由你停止。{changes} 处改动已保留，可在时间线撤销。',
  'turn.cancelled-ran': '由你停止。此前运行的命令可能改过文件；改动已保留，可在时间线撤销。',
  'turn.cancelled-none': '由你停止。没有改动任何文件。',
  'turn.step-limit': '已到 {steps} 步上限。回复“继续”可接着做。',
  'turn.repeat': '已停止：同一调用连续 3 次得到相同结果。',
  'turn.repeat-text': '已停止：同一段文字连续出现 10 次。',
  'turn.refused': '模型拒绝回答（内容过滤）。',
  'turn.incomplete': '连接在回答完成前中断。已有文字保留；不完整的调用没有执行。可重新发送。',
  'turn.cut': '回答达到模型的输出上限而被截断。回复“继续”可接着做。',
  'turn.empty': '模型没有返回任何内容。可重新发送。',
  'turn.nobody-answered': '没有人在场回答。',
  'turn.cut-call': '你的输出在一次工具调用中途达到上限被截断。之前的文字已保留；该调用没有执行，也没有写入任何内容。请分成更小的部分重发。',
  'turn.running': '这个会话正在运行。请等它结束，或先停止。',
}
