import type { call as english } from '../en/call'

export const call: Readonly<Record<keyof typeof english, string>> = {
  'call.unknown': '不知道这次调用是否完成：程序在它执行时退出。不会自动重做。请与之前的快照对比，不要假定它已完成或未完成。',
  'call.was-done': '程序在执行期间退出。文件内容与要写入的一致：已完成。',
  'call.was-not-done': '程序在改动任何内容之前退出。没有写入。',
  'call.conflict': '程序在执行期间退出，{paths} 的内容既不是旧的也不是新的。请先查看再继续。',
  'call.said-done': '这次调用进行时应用退出了。用户查看后认定它已完成。退出码不明。',
  'call.said-rolled-back': '这次调用进行时应用退出了。用户已撤回它对文件的改动：视为未完成。它在项目之外做了什么不得而知。',
  'call.said-again': '{tool} 运行时应用退出了，没有人知道它做到了哪里。用户让它再运行一次：上面的结果来自第二次运行。',
  'call.settled-already': '这次调用已无需回答。',
  'call.not-rolled-back': '这次调用开始之后还没有回滚过文件。请先回滚。',
}
