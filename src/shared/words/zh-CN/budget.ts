import type { budget as english } from '../en/budget'

export const budget: Readonly<Record<keyof typeof english, string>> = {
  'budget.gone': '已没有等待此回答的内容。',
  'budget.too-low': '该上限不高于已用的数额。请给出更高的上限，或到此为止。',
  'budget.no-price': '没有 {model} 的价格，因此费用上限管不住它；token 上限仍然有效。',
  'budget.other-currency': '{model} 以 {currency} 计价，而该货币没有设上限，因此不受限制。',
  'budget.ended-tokens': '已停止：用了 {spent} 个 token，单轮上限为 {limit}。',
  'budget.ended-turn': '已停止：用了 {spent} {currency}，单轮上限为 {limit} {currency}。',
  'budget.ended-day': '已停止：今天已用 {spent} {currency}，每日上限为 {limit} {currency}。',
}
