export const budget = {
  'budget.gone': 'Nothing waits for this answer any more.',
  'budget.too-low': 'That is not above what is spent already. Name a higher ceiling, or stop here.',
  'budget.no-price': 'Nobody says what {model} costs, so the ceilings of money cannot hold it. A ceiling of tokens does.',
  'budget.other-currency': '{model} is priced in {currency}. No ceiling is set in that currency, so none holds it.',
  'budget.ended-tokens': 'Stopped at {spent} tokens; the ceiling of a turn is {limit}.',
  'budget.ended-turn': 'Stopped at {spent} {currency}; the ceiling of a turn is {limit} {currency}.',
  'budget.ended-day': 'Stopped: {spent} {currency} are spent today, and the ceiling of a day is {limit} {currency}.',
} as const
