/** Deeper chains of targets are not followed. */
const mostTargets = 64
/** As much of a recipe as is judged. */
const mostText = 20_000

/**
 * What `make` would run for a target of a makefile, with what the target needs first, as text for a shell. An empty name
 * is the first target. Null when the makefile names no such target by itself: pattern rules and other files are not looked
 * at, and what a variable of make holds is left open (`${NAME}`), so that the guard takes it for not known.
 */
export function makeRecipe(makefile: string, target: string): string | null {
  const rules = rulesOf(makefile)
  const first = target === '' ? [...rules.keys()].find((name) => !name.startsWith('.') && !name.includes('%')) : target
  if (first === undefined || !rules.has(first)) return null
  const lines: string[] = []
  const seen = new Set<string>()
  const visit = (name: string): void => {
    const rule = rules.get(name)
    if (!rule || seen.has(name) || seen.size >= mostTargets) return
    seen.add(name)
    for (const need of rule.needs) visit(need)
    lines.push(...rule.recipe)
  }
  visit(first)
  return lines.join('\n').slice(0, mostText)
}

interface Rule {
  readonly needs: string[]
  readonly recipe: string[]
}

function rulesOf(makefile: string): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>()
  let open: readonly Rule[] = []
  for (const line of makefile.replace(/\\\r?\n[ \t]*/gu, ' ').split(/\r?\n/u)) {
    if (line.startsWith('\t')) {
      const command = shellText(line.slice(1))
      for (const rule of open) rule.recipe.push(command)
      continue
    }
    const found = /^([^\s#:=][^#:=]*?)\s*::?(?!=)\s*([^=]*)$/u.exec(line)
    if (!found) {
      if (line.trim() !== '' && !line.startsWith('#')) open = []
      continue
    }
    const [needs = '', ...inline] = (found[2] ?? '').replace(/(?:^|\s)#.*$/u, '').split(';')
    open = (found[1] ?? '').split(/\s+/u).map((name) => {
      const rule = rules.get(name) ?? { needs: [], recipe: [] }
      rules.set(name, rule)
      rule.needs.push(...needs.split(/\s+/u).filter((need) => need !== '' && need !== '|'))
      if (inline.length > 0) rule.recipe.push(shellText(inline.join(';')))
      return rule
    })
  }
  return rules
}

/** A recipe line as the shell gets it: without the marks of make, its variables as ones that nobody knows. */
function shellText(line: string): string {
  return line.trim().replace(/^[@+-]+\s*/u, '').replace(/\$\(([A-Za-z_.][\w.-]*)\)|\$\{([A-Za-z_.][\w.-]*)\}/gu, (_, a?: string, b?: string) => `\${MAKE_${(a ?? b ?? '').replace(/\W/gu, '_')}}`).replace(/\$[@<^?*+%]/gu, '${MAKE_NAME}').replace(/\$\([^)]*\)/gu, '${MAKE_TEXT}').replaceAll('$$', '$')
}
