import { encodeTree, hexOf, parseTree, type RawId } from './gitObjects'
import { commitsFrom, type CommitLine } from './history'
import type { ObjectStore } from './objectStore'

/** The chain of commits that keeps the side lists, as far as it is there, and the lists it names. */
export function readSideChain(objects: ObjectStore, tip: RawId): { readonly commits: readonly CommitLine[]; readonly sides: ReadonlySet<RawId> } {
  const commits = [...commitsFrom(objects, tip, new Set())]
  const trees = commits.map(({ tree }) => objects.read(tree))
  return { commits, sides: new Set(trees.flatMap((tree) => (tree ? parseTree(tree.body).map(({ id }) => id) : []))) }
}

/** One commit for all these lists, in the place of a chain of which some were forgotten. Its id stands in no record. Durable after the next flush. */
export function putSideCommit(objects: ObjectStore, sides: ReadonlySet<RawId>): { readonly commit: RawId; readonly tree: RawId } {
  const tree = objects.put('tree', encodeTree([...sides].map((id) => ({ name: hexOf(id), mode: '100644', id }))))
  const who = 'Countersign <countersign@localhost> 0 +0000'
  const commit = objects.put('commit', Buffer.from(`tree ${hexOf(tree)}\nauthor ${who}\ncommitter ${who}\n\nside lists that were kept\n`))
  return { commit, tree }
}
