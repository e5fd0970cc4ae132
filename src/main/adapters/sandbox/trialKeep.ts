import { fail, succeed, type Result } from '../../../shared/domain/result'
import { disk, runLater, type Steps } from '../../native/diskSteps'
import { atPlace } from '../../native/safePath'
import { putFile, putLink, readPlace, type Place } from '../../native/safeFile'
import { closeFolder, enter, type Root } from '../../native/safeFolder'
import { removeEmptyFolder, removeFile, setMode } from '../../native/safeTree'
import { contentBytesMax, isSame, sideAt, type Difference, type Side } from './trialFiles'

const here = { make: false, durable: false } as const
const withParents = { make: true, durable: true } as const

/** Writes the differences into the project: what must go goes first, deepest first, then what must come, then the bits of folders. */
export async function keepDifferences(all: readonly Difference[], upper: Root, lower: Root, onStep: (path: string, outcome: Result<null>) => void): Promise<void> {
  const failed = new Set<string>()
  const tell = (path: string, outcome: Result<null>): void => {
    if (!outcome.ok) failed.add(path)
    onStep(path, outcome)
  }
  for (const difference of [...all].reverse()) {
    const { path, before, after } = difference
    if (before === null || !goesFirst(before, after)) continue
    const outcome = await remove(lower, path, before)
    if (!outcome.ok || after === null) tell(path, outcome)
  }
  for (const difference of all) {
    const { path, before, after } = difference
    if (after === null || failed.has(path)) continue
    if (after.kind === 'folder') {
      const outcome = before?.kind === 'folder' ? succeed(null) : await makeFolder(lower, path)
      if (!outcome.ok) tell(path, outcome)
    } else tell(path, await put(difference, after, upper, lower))
  }
  // Last, since a folder may be one that nothing can be put into.
  const folders = all.filter(({ path, after }) => after?.kind === 'folder' && !failed.has(path))
  for (const { path, after } of [...folders].reverse()) tell(path, await runLater(atPlace(lower, path, here, (place) => setMode(place, after?.mode ?? 0o755))))
}

/** In the place of a folder, or a folder in its place: then there is nothing to replace in one step. */
function goesFirst(before: Side, after: Side | null): boolean {
  return after === null || (before.kind === 'folder') !== (after.kind === 'folder')
}

function remove(lower: Root, path: string, before: Side): Promise<Result<null>> {
  return runLater(atPlace(lower, path, here, function* (place): Steps<Result<null>> {
    if (before.kind !== 'folder') return yield* removeFile(place, { check: () => stillIs(place, before), durable: true })
    const removed = yield* removeEmptyFolder(place, true)
    if (!removed.ok) return removed
    return removed.value ? succeed(null) : fail('trial.changed-since', { paths: [path] })
  }))
}

function makeFolder(lower: Root, path: string): Promise<Result<null>> {
  return runLater(atPlace(lower, path, withParents, function* (place): Steps<Result<null>> {
    const made = yield* enter(place.folder, place.name, withParents)
    if (!made.ok) return made
    yield* closeFolder(made.value)
    return succeed(null)
  }))
}

async function put({ path, before }: Difference, after: Side, upper: Root, lower: Root): Promise<Result<null>> {
  const expected = before !== null && goesFirst(before, after) ? null : before
  const content = await contentOf(upper, path, after)
  if (!content.ok) return content
  const written = await runLater(atPlace(lower, path, withParents, (place) => {
    const check = (): Steps<Result<null>> => stillIs(place, expected)
    return after.kind === 'symlink' ? putLink(place, Buffer.from(content.value), { check, durable: true }) : putFile(place, content.value, { check, mode: after.mode, durable: true })
  }))
  return written.ok ? succeed(null) : written
}

function* stillIs(place: Place, expected: Side | null): Steps<Result<null>> {
  const now = yield* sideAt(place)
  return now.ok && isSame(now.value, expected) ? succeed(null) : fail('trial.changed-since', { paths: [place.name] })
}

/** What the trial left there: a file's bytes or a link's target, when it still is what was told. */
export async function contentOf(upper: Root, path: string, after: Side): Promise<Result<Uint8Array>> {
  const content = await runLater(atPlace(upper, path, here, function* (place): Steps<Result<{ readonly bytes: Uint8Array; readonly hash: string }>> {
    if (after.kind !== 'symlink') return yield* readPlace(place, contentBytesMax)
    const target = yield* disk.readlink(place.folder.at(place.name))
    return succeed({ bytes: target, hash: yield* disk.sha256(target) })
  }))
  if (!content.ok) return content.fault.code === 'path.missing' ? fail('trial.gone') : content
  return content.value.hash === after.hash ? succeed(content.value.bytes) : fail('trial.gone')
}
