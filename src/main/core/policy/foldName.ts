/**
 * A file name in the form in which protected names are compared, the same on every system (SECURITY rule of R65, R67):
 * what any common file system could take for the same name folds to the same text. Composed form, one case, without code
 * points that HFS+ ignores, without trailing dots and blanks and without a stream suffix that Windows drops. `git~1`, the
 * short name of `.git`, folds to `.git`. Only for comparing; never use the result to open anything.
 */
export function foldName(name: string): string {
  const folded = name
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replace(/:.*$/su, '')
    .replace(/[. ]+$/u, '')
  return folded === 'git~1' ? '.git' : folded
}
