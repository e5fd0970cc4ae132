import { totalOf } from './src/price.js'

const checks = [
  ['an empty order costs nothing', [], 0],
  ['one of each is the sum of the prices', [{ tea: 'Longjing', price: 1800, count: 1 }, { tea: 'Earl Grey', price: 900, count: 1 }], 2700],
  ['two of the same count twice', [{ tea: 'Longjing', price: 1800, count: 2 }], 3600],
  ['a tenth goes off from 5000 on', [{ tea: 'Dahongpao', price: 2500, count: 2 }], 4500],
]

let passed = 0
for (const [name, order, expected] of checks) {
  const total = totalOf(order)
  if (total === expected) passed++
  console.log(`${total === expected ? 'ok    ' : 'FAILED'} ${name}${total === expected ? '' : `: ${total} instead of ${expected}`}`)
}
console.log(`${passed} of ${checks.length} checks passed`)
process.exitCode = passed === checks.length ? 0 : 1
