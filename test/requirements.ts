/** An R number's place: the issue it is due in. Its tests are found by their citing the number. */
export interface Requirement {
  readonly due: number
}

/** The issue whose work is done or under way: numbers due up to it must have tests. */
export const currentIssue = 7

const dueBy: Readonly<Record<number, string>> = {
  2: '1 2 4 5 6 7 8 9 11 12 13 14 15 16 17 18 19 20 21 62 63 64 68 74 75 76 77 84 92 94 95 102 103 108',
  3: '41 42 43 44 45 46 47 48 49 50 51 52 53 54',
  4: '33 34 35 36 37 38 39 40 55 56 57 58 59 60 98 99 100 101',
  5: '61 65 66 67 69 70 71 72 73',
  6: '78 79 80',
  7: '3 10 22 23 24 25 26 27 28 29 30 31 32 86 87 88 89 90 91 93 96 97 109 111 112 113',
  8: '81 82 83 85 104 105 106 107',
  9: '110 114',
}

/** Every R number of the product, with the issue it is due in. */
export const requirements: ReadonlyMap<string, Requirement> = new Map(
  Object.entries(dueBy).flatMap(([issue, numbers]) => numbers.split(' ').map((number) => [`R${number}`, { due: Number(issue) }] as const)),
)
