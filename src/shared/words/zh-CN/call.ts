import type { call as english } from '../en/call'

export const call: Readonly<Record<keyof typeof english, string>> = {
  'call.unknown': '不知道这次调用是否完成：程序在它执行时退出。不会自动重做。请与之前的快照对比，不要假定它已完成或未完成。',
  'call.was-done': '程序在执行期间退出。文件内容与要写入的一致：已完成。',
  'call.was-not-done': '程序在改动任何内容之前退出。没有写入。',
  'call.conflict': '程序在执行期间退出，{paths} 的内容既不是旧的也不是新的。请先查看再继续。',
}
