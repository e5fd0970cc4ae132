/** `{{name}}`, with blanks inside or not. A new one a caller: it remembers where it was. */
function placeholder(): RegExp {
  return /\{\{[ \t]*([\p{L}_][\p{L}\p{N}_-]{0,63})[ \t]*\}\}/gu
}

/** Whether an input may be called so; `__proto__` is no name of a field anywhere. */
export function isInputName(name: string): boolean {
  return /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u.test(name) && name !== '__proto__'
}

/** The names that a template asks for, in order, each once. */
export function placeholdersOf(template: string): readonly string[] {
  return [...new Set([...template.matchAll(placeholder())].map(([, name]) => name ?? ''))]
}

/** The template with what `value` gives for each name, once and verbatim: nothing in a value is looked at. Where it gives nothing, the placeholder stays. */
export function fillTemplate(template: string, value: (name: string) => string | undefined): string {
  return template.replace(placeholder(), (whole, name: string) => value(name) ?? whole)
}
