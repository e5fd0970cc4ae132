import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'

/** A place that a text names: where it stands in it, and what it means. */
export interface NamedPlace {
  readonly start: number
  readonly end: number
  readonly path: string
  readonly line: number | null
  readonly column: number | null
}

/** Where a text comes from: the folder its paths may start at, and its place in the conversation; null for neither. */
export interface TextOrigin {
  readonly base: string | null
  readonly seq: number | null
}

/** What knows which places a text names, which of them are files here, and how to open one. */
export interface FileLinks {
  readonly placesIn: (text: string) => readonly NamedPlace[]
  /** The file that a name means; null: none here; undefined: not known yet. */
  readonly known: (name: string, base: string | null) => string | null | undefined
  /** Finds out about names; listeners hear of it. */
  readonly want: (names: readonly string[], base: string | null) => Promise<void>
  readonly subscribe: (listener: () => void) => () => void
  /** Another number after each answer. */
  readonly version: () => number
  readonly open: (place: { readonly path: string; readonly line: number | null; readonly column: number | null }, origin: TextOrigin) => void
  /** Ways out of the window, for a file by its path. */
  readonly openInEditor: (path: string) => void
  readonly showInFolder: (path: string) => void
}

export const FileLinksContext = createContext<FileLinks | null>(null)
export const TextOriginContext = createContext<TextOrigin>({ base: null, seq: null })

/** In a longer text nothing is looked for. */
const longest = 200_000
const none: readonly NamedPlace[] = []
const quiet = (): (() => void) => () => undefined
const zero = (): number => 0

/** The places of a text that are files of the opened folder, once that is known. */
export function useNamedFiles(text: string): readonly NamedPlace[] {
  const links = useContext(FileLinksContext)
  const { base } = useContext(TextOriginContext)
  const places = useMemo(() => (links === null || text.length > longest ? none : links.placesIn(text)), [links, text])
  useSyncExternalStore(links?.subscribe ?? quiet, links?.version ?? zero)
  useEffect(() => {
    if (links !== null && places.length > 0) void links.want(places.map(({ path }) => path), base)
  })
  return links === null || places.length === 0 ? none : places.filter(({ path }) => typeof links.known(path, base) === 'string')
}
