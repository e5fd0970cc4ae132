import { fail, succeed, type Result } from '../../shared/domain/result'
import type { LoadedSkill, Skill, SkillFault, SkillIndex, SkillInputs, SkillOrigin, SkillSet } from '../../shared/domain/skill'
import type { SkillPage, SkillText } from '../../shared/ipc/views'
import type { Clock } from '../core/ports/clock'
import type { SkillDesk } from '../core/ports/skillDesk'
import type { SkillRecord } from '../core/ports/skillRecord'
import type { SkillFolder, SkillSource } from '../core/ports/skillSource'
import { usedOf } from '../core/skills/choose'
import { makeIndex } from '../core/skills/index'
import { fillInputs } from '../core/skills/inputs'
import { lookAlikes } from '../core/skills/lookAlikes'
import { renderSkill } from '../core/skills/render'
import { placeKey, skillPage, type SkillFacts } from './skillPage'
import type { ProjectSkill } from './trust'

/** A skill by where it lies. */
export interface SkillId {
  readonly origin: SkillOrigin
  readonly path: string
}

/** The skills of the app and the user (R56 to R60). Read at the start and again when their folders change; a bad file is a fault beside the others. */
export interface Skills extends SkillDesk {
  /** Resolves when the folders have been read once; until then the index is empty. What begins a turn waits for it. */
  ready(): Promise<void>
  page(): Promise<SkillPage>
  text(id: SkillId): Promise<Result<SkillText>>
  switch(id: SkillId, isOn: boolean): Promise<Result<null>>
  reload(): Promise<SkillPage>
  /** Makes what the person chose ready, in order. A fault names the input that is missing or wrong; then none is loaded. */
  chosen(choices: readonly (SkillId & { readonly inputs: SkillInputs })[]): Promise<Result<readonly LoadedSkill[]>>
  /** The index for the prompt (R57), of the moment; never waits for a disk. */
  index(): SkillIndex
  onChange(listener: (page: SkillPage) => void): () => void
  /** The skills that are there whichever folder is open. */
  ownNames(): Promise<readonly Pick<Skill, 'name' | 'origin'>[]>
  /** Those of the opened folder, as they were read with their hashes; one that is not trusted is shown and stays off. */
  useProject(skills: readonly ProjectSkill[], faults: readonly SkillFault[]): void
  close(): void
}

/** What the service works with. One of the folders is the user's own. */
export interface SkillsPorts {
  readonly source: SkillSource
  readonly record: SkillRecord
  readonly folders: readonly SkillFolder[]
  readonly clock: Clock
}

/** How many names a fault tells the model of. */
const toldNames = 40

/** Begins to read the folders at once and answers without waiting for them. */
export function makeSkills(ports: SkillsPorts): Skills {
  const { record, clock } = ports
  const shelf = makeShelf(ports)
  const ready = shelf.read()
  // Whoever waits for it is told; here nobody does.
  ready.catch(() => undefined)
  const stopWatching = ports.source.watch(ports.folders, () => void shelf.read().catch(() => undefined))

  async function made(skills: readonly { readonly skill: Skill; readonly inputs: SkillInputs }[]): Promise<Result<readonly LoadedSkill[]>> {
    const loaded: LoadedSkill[] = []
    for (const { skill, inputs } of skills) {
      const filled = fillInputs(skill, inputs)
      if (!filled.ok) return filled
      loaded.push(renderSkill(skill, filled.value))
    }
    if (skills.length > 0) {
      await record.used(skills.map(({ skill }) => ({ origin: skill.origin, path: skill.path })), clock.nowMs())
      await shelf.readFacts()
      shelf.changed()
    }
    return succeed(loaded)
  }

  return {
    ready: () => ready,
    async page() {
      await ready
      await shelf.readFacts()
      return shelf.page()
    },
    async text(id) {
      await ready
      const skill = shelf.find(id) ?? null
      if (id.origin === 'project') {
        const text = shelf.projectText(id.path)
        return text === null ? fail('skill.gone', { path: id.path }) : succeed({ text, skill })
      }
      const folder = ports.folders.find(({ origin }) => origin === id.origin)
      const isKnown = skill !== null || shelf.faulty(id)
      if (!isKnown || folder === undefined) return fail('skill.gone', { path: id.path })
      const text = await ports.source.text(folder, id.path)
      return text.ok ? succeed({ text: text.value, skill }) : text
    },
    async switch(id, isOn) {
      await ready
      if (shelf.find(id) === undefined) return fail('skill.gone', { path: id.path })
      if (!shelf.isTrusted(id)) return fail('trust.not-trusted', { path: id.path })
      await record.set({ origin: id.origin, path: id.path, isOn })
      await shelf.readFacts()
      shelf.changed()
      return succeed(null)
    },
    async reload() {
      await shelf.read()
      return shelf.page()
    },
    async chosen(choices) {
      await ready
      const skills: { readonly skill: Skill; readonly inputs: SkillInputs }[] = []
      for (const { inputs, ...id } of choices) {
        const skill = shelf.find(id)
        if (skill === undefined) return fail('skill.gone', { path: id.path })
        if (!shelf.isTrusted(skill)) return fail('trust.not-trusted', { path: id.path })
        if (!shelf.isOn(skill)) return fail('skill.off', { name: skill.name })
        skills.push({ skill, inputs })
      }
      return made(skills)
    },
    async load(name, inputs) {
      await ready
      const skill = named(shelf, name)
      if (!skill.ok) return skill
      const loaded = await made([{ skill: skill.value, inputs }])
      if (!loaded.ok) return loaded
      const [one] = loaded.value
      return one === undefined ? fail('skill.none', { name }) : succeed(one)
    },
    index: () => shelf.index(),
    onChange: (listener) => shelf.onChange(listener),
    async ownNames() {
      await ready
      return shelf.all().filter(({ origin }) => origin !== 'project')
    },
    useProject: (skills, faults) => shelf.useProject(skills, faults),
    close: stopWatching,
  }
}

/** The skill that a name means now: on, and the nearest of its name. */
function named(shelf: Shelf, given: string): Result<Skill> {
  const name = given.trim().normalize('NFC')
  const used = usedOf(shelf.all().filter((skill) => shelf.isOn(skill)))
  const found = used.get(name)
  if (found !== undefined) return succeed(found)
  if (shelf.all().some((skill) => skill.name === name)) return fail('skill.off', { name })
  const names = [...used.keys()].slice(0, toldNames)
  return names.length === 0 ? fail('skill.none', { name }) : fail('skill.unknown', { name, names })
}

interface Shelf {
  /** Reads folders and database anew. While a reading is under way, one more follows it, and both callers wait for that one. */
  read(): Promise<void>
  /** Reads only what the database knows. */
  readFacts(): Promise<void>
  all(): readonly Skill[]
  find(id: SkillId): Skill | undefined
  faulty(id: SkillId): boolean
  /** Switched on, and trusted where it is of the opened folder. */
  isOn(skill: SkillId): boolean
  isTrusted(skill: SkillId): boolean
  /** The text of a skill of the opened folder, as it was read. */
  projectText(path: string): string | null
  useProject(skills: readonly ProjectSkill[], faults: readonly SkillFault[]): void
  index(): SkillIndex
  page(): SkillPage
  changed(): void
  onChange(listener: (page: SkillPage) => void): () => void
}

/** What was last read, and what follows from it. */
function makeShelf({ source, record, folders, clock }: SkillsPorts): Shelf {
  const folder = folders.find(({ origin }) => origin === 'user')?.folder ?? ''
  const listeners = new Set<(page: SkillPage) => void>()
  let own: SkillSet = { skills: [], faults: [] }
  let project: { readonly skills: readonly ProjectSkill[]; readonly faults: readonly SkillFault[] } = { skills: [], faults: [] }
  let set: SkillSet = { skills: [], faults: [] }
  let facts: SkillFacts = { switches: new Map(), uses: new Map() }
  let index = makeIndex([])
  let reading: Promise<void> | null = null
  let isStale = false

  const isTrusted = (skill: SkillId): boolean => skill.origin !== 'project' || project.skills.some((one) => one.skill.path === skill.path && one.isTrusted)
  const isOn = (skill: SkillId): boolean => isTrusted(skill) && (facts.switches.get(placeKey(skill)) ?? true)
  const page = (): SkillPage => skillPage({ set, facts, index, folder, isTrusted })

  async function fetchFacts(): Promise<SkillFacts> {
    const [switches, uses] = await Promise.all([record.switches(), record.uses(monthStart(clock.nowMs()))])
    return { switches: new Map(switches.map((one) => [placeKey(one), one.isOn])), uses: new Map(uses.map((one) => [placeKey(one), one])) }
  }

  /** In one go: nobody sees an index of other skills. */
  function settle(nextOwn: SkillSet, nextFacts: SkillFacts): void {
    own = nextOwn
    // Of the project's, the order of origins makes them the last, by name as the others are.
    const skills = [...own.skills, ...project.skills.map(({ skill }) => skill).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.path < b.path ? -1 : 1))]
    set = { skills, faults: [...own.faults, ...project.faults, ...lookAlikes(skills)] }
    facts = nextFacts
    index = makeIndex(set.skills.map((skill) => ({ skill, isOn: isOn(skill), lastUsedAtMs: facts.uses.get(placeKey(skill))?.lastAtMs ?? null })))
  }

  async function readAll(): Promise<void> {
    try {
      do {
        isStale = false
        const next = await source.read(folders)
        settle(next, await fetchFacts())
      } while (isStale)
    } finally {
      reading = null
    }
    changed()
  }

  function changed(): void {
    const now = page()
    listeners.forEach((listener) => listener(now))
  }

  return {
    read() {
      isStale = true
      return (reading ??= readAll())
    },
    async readFacts() {
      const next = await fetchFacts()
      settle(own, next)
    },
    all: () => set.skills,
    find: ({ origin, path }) => set.skills.find((skill) => skill.origin === origin && skill.path === path),
    faulty: ({ origin, path }) => set.faults.some((fault) => fault.isFatal && fault.origin === origin && fault.path === path),
    isOn,
    isTrusted,
    projectText: (path) => project.skills.find(({ skill }) => skill.path === path)?.text ?? null,
    useProject(skills, faults) {
      project = { skills, faults }
      settle(own, facts)
      changed()
    },
    index: () => index,
    page,
    changed,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function monthStart(nowMs: number): number {
  const now = new Date(nowMs)
  return new Date(now.getFullYear(), now.getMonth(), 1).getTime()
}
