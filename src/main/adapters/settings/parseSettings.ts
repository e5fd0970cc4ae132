import { parseTree, type Node, type ParseError } from 'jsonc-parser'
import { said, type Said } from '../../../shared/domain/result'
import { defaultSettings, settingsSchema, type Settings } from '../../../shared/domain/settings'

/** What a settings text came to. `damaged` says where it stops making sense. */
export type ParsedSettings =
  | { readonly kind: 'read'; readonly settings: Settings; readonly faults: readonly Said[]; readonly leftOut: LeftOut }
  | { readonly kind: 'damaged'; readonly line: number; readonly column: number }
  /** No text at all, as a power cut or a full disk leaves it: nothing of the user's is in it. */
  | { readonly kind: 'empty' }

/** Entries of lists that are not valid, as they stand: they are not used, and not thrown away either. */
export type LeftOut = Readonly<Partial<Record<keyof Settings, readonly unknown[]>>>

const fields = Object.keys(settingsSchema.shape) as (keyof Settings)[]
/** A bad entry of these falls away alone. */
const lists: Readonly<Partial<Record<keyof Settings, { safeParse(value: unknown): { readonly success: boolean } }>>> = {
  providers: settingsSchema.shape.providers.element,
  recentFolders: settingsSchema.shape.recentFolders.element,
}

/**
 * Reads a settings text, with comments and trailing commas as people write them. Each field that is bad is replaced by its
 * `fallback` and named with its place; one that is not there has its default; unknown fields are left alone.
 */
export function parseSettings(text: string, file: string, fallback: Settings): ParsedSettings {
  // A file of zeros is what some file systems leave after a power cut.
  if (/^[\s\u0000\ufeff]*$/.test(text)) return { kind: 'empty' }
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined) return { kind: 'damaged', ...placeOf(text, first.offset) }
  if (root?.type !== 'object') return { kind: 'damaged', ...placeOf(text, root?.offset ?? 0) }

  const faults: Said[] = []
  const leftOut: Partial<Record<keyof Settings, readonly unknown[]>> = {}
  const found = Object.fromEntries(
    fields.map((field) => {
      // The last one counts, as JSON.parse has it.
      const node = root.children?.findLast((property) => property.children?.[0]?.value === field)?.children?.[1]
      if (node === undefined) return [field, defaultSettings[field]]
      const read = readField(field, node, fallback)
      faults.push(...read.bad.map((bad) => said(bad === node ? 'settings.bad-value' : 'settings.bad-entry', { file, field, ...placeOf(text, bad.offset), used: JSON.stringify(read.value) })))
      const entries = read.bad.filter((bad) => bad !== node)
      if (entries.length > 0) leftOut[field] = entries.map(valueOf)
      return [field, read.value]
    }),
  )
  return { kind: 'read', settings: settingsSchema.parse(found), faults, leftOut }
}

function readField(field: keyof Settings, node: Node, fallback: Settings): { readonly value: unknown; readonly bad: readonly Node[] } {
  const whole = settingsSchema.shape[field].safeParse(valueOf(node))
  if (whole.success) return { value: whole.data, bad: [] }
  const entry = lists[field]
  if (entry === undefined || node.type !== 'array') return { value: fallback[field], bad: [node] }
  const [good, bad] = [true, false].map((wanted) => (node.children ?? []).filter((child) => entry.safeParse(valueOf(child)).success === wanted))
  const kept = settingsSchema.shape[field].safeParse((good ?? []).map(valueOf))
  return kept.success ? { value: kept.data, bad: bad ?? [] } : { value: fallback[field], bad: [node] }
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf)
  if (node.type !== 'object') return node.value
  return Object.fromEntries((node.children ?? []).map(({ children }) => [String(children?.[0]?.value), children?.[1] === undefined ? null : valueOf(children[1])]))
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
