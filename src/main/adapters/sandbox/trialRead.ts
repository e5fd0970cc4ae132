import { Buffer } from 'node:buffer'
import { disk, runLater, type Steps } from '../../native/diskSteps'
import { succeed, type Result } from '../../../shared/domain/result'
import { atPlace } from '../../native/safePath'
import { readPlace } from '../../native/safeFile'
import type { Root } from '../../native/safeFolder'
import { contentBytesMax, type Side } from './trialFiles'

/** The beginning of what stands there, for a look; null where there is nothing to show. */
export async function readLimited(root: Root, path: string, side: Side | null, limitBytes: number): Promise<{ readonly bytes: Uint8Array | null; readonly isCut: boolean }> {
  if (side === null || side.kind === 'folder') return { bytes: null, isCut: false }
  const read = await runLater(atPlace(root, path, { make: false, durable: false }, function* (place): Steps<Result<Uint8Array>> {
    if (side.kind === 'symlink') return succeed(yield* disk.readlink(place.folder.at(place.name)))
    const content = yield* readPlace(place, contentBytesMax)
    return content.ok ? succeed(content.value.bytes) : content
  }))
  if (!read.ok) return { bytes: null, isCut: true }
  return { bytes: Buffer.from(read.value.subarray(0, limitBytes)), isCut: read.value.length > limitBytes }
}
