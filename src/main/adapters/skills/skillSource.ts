import { constants } from 'node:fs'
import { lstat, readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { SkillFolder, SkillSource } from '../../core/ports/skillSource'
import { fail, said, succeed, type Result } from '../../../shared/domain/result'
import { skillOrigins as origins, type Skill, type SkillFault } from '../../../shared/domain/skill'
import { findSkills, isInside } from './findSkills'
import { wholeFault } from './place'
import type { ReadSkill } from './readSkill'

/** Instructions that a model reads at once; a file beyond this is something else. */
const maxBytes = 1024 * 1024

/** Skills from folders. Of the app's own folder, which is part of the program, changes are not watched. */
export function makeSkillSource(log: (note: string) => void): SkillSource {
  return {
    async read(folders) {
      const skills: Skill[] = []
      const faults: SkillFault[] = []
      for (const { origin, folder } of folders) {
        const found = await findSkills(origin, folder)
        faults.push(...found.faults)
        // One after the other: the thread is free between two files.
        for (const { path: at, file } of found.files) {
          const read = await readFrom({ origin, path: at }, file)
          faults.push(...read.faults)
          if (read.skill !== null) skills.push(read.skill)
        }
      }
      return { skills: skills.sort(bySkill), faults: faults.sort(byFault) }
    },
    async text(folder, at) {
      const file = await realFile(folder, at)
      if (file === null) return fail('skill.gone', { path: at })
      const read = await readBytes(file)
      // What is no text is shown as far as it is one.
      return read.ok ? succeed(new TextDecoder().decode(read.value)) : read
    },
    watch(folders, changed) {
      let stop: (() => void) | null = null
      let isClosed = false
      void import('./watchFolders').then(({ watchFolders }) => {
        if (!isClosed) stop = watchFolders(folders.filter(({ origin }) => origin !== 'app').map(({ folder }) => folder), changed, log)
      })
      return () => {
        isClosed = true
        stop?.()
      }
    },
  }
}

/** A file of the folder by its path, or null when there is none inside. */
async function realFile({ folder }: SkillFolder, at: string): Promise<string | null> {
  const [root, file] = await Promise.all([realpath(folder), realpath(path.join(folder, at))]).catch(() => [null, null])
  return root !== null && file !== null && isInside(root, file) ? file : null
}

async function readFrom(place: Pick<Skill, 'origin' | 'path'>, file: string): Promise<ReadSkill> {
  const bytes = await readBytes(file)
  if (!bytes.ok) return { skill: null, faults: [wholeFault(place, bytes.fault, true)] }
  const text = decode(bytes.value)
  if (text === null) return { skill: null, faults: [noText(place, bytes.value)] }
  // The reader of YAML is not loaded with the program: the first window does not wait for it.
  const { readSkill } = await import('./readSkill')
  return readSkill(place, text)
}

async function readBytes(file: string): Promise<Result<Uint8Array>> {
  try {
    const facts = await lstat(file)
    if (!facts.isFile()) return fail('skill.no-file')
    if (facts.size > maxBytes) return fail('skill.too-large', { bytes: facts.size, limit: maxBytes })
    // Were it replaced just now by a link or a pipe, the reading fails instead of following or waiting.
    const bytes = await readFile(file, { flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) })
    return bytes.length > maxBytes ? fail('skill.too-large', { bytes: bytes.length, limit: maxBytes }) : succeed(bytes)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return fail('skill.cannot-read', { problem: message })
  }
}

/** Null for what is not UTF-8, or holds zero bytes. */
function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // said by the caller, with the line
  }
}

/** Where a file stops being text: the line is counted up to the first byte that is none. */
function noText(place: Pick<Skill, 'origin' | 'path'>, bytes: Uint8Array): SkillFault {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const back = new TextEncoder().encode(text)
  const zero = bytes.indexOf(0)
  const bad = bytes.findIndex((byte, at) => byte !== back[at] || at === zero)
  const before = new TextDecoder().decode(bytes.subarray(0, bad)).split(/\r\n|\r|\n/)
  return { ...place, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, text: '', say: said(zero === -1 ? 'skill.no-utf8' : 'skill.binary'), isFatal: true }
}

function bySkill(a: Skill, b: Skill): number {
  return origins.indexOf(a.origin) - origins.indexOf(b.origin) || compare(a.name, b.name) || compare(a.path, b.path)
}

function byFault(a: SkillFault, b: SkillFault): number {
  return origins.indexOf(a.origin) - origins.indexOf(b.origin) || compare(a.path, b.path) || a.line - b.line || a.column - b.column
}

/** By code units: an order that no locale changes. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
