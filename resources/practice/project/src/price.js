/** What an order costs, in cents: the sum of its lines, less a tenth from 5000 on. */
export function totalOf(order) {
  let total = 0
  for (const line of order) {
    total += line.price
  }
  return total >= 5000 ? total - total / 10 : total
}
