import { ANY } from './marks'

/** True for arithmetic without subscripts, quotes and expansions: numbers, names and operators only. */
export function isPlainArithmeticText(text: string): boolean {
  return /^[\w\s+\-*/%<>=!&|^~?:(),]*$/u.test(text.replaceAll(ANY, '1'))
}
