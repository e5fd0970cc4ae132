import { said } from '../../shared/domain/result'
import type { SkillOrigin } from '../../shared/domain/skill'
import type { TrustItem, TrustRef } from '../../shared/domain/trust'
import { foldLookalikes } from '../core/mcp/confusables'
import type { FoundSkill, ProjectFinds } from '../core/trust/projectFinds'
import type { TrustDecision } from '../core/ports/trustStore'
import { utf8Length } from '../core/skills/utf8Length'
import { notesOfServer, shownServer, type ServerSurroundings } from '../core/trust/serverNotes'
import { notesOfText, type TrustNotes } from '../core/trust/textNotes'

/** What judging what a folder brings needs to know of the app. */
export interface TrustSurroundings extends ServerSurroundings {
  /** The skills that are there without the folder. */
  readonly appSkills: readonly { readonly name: string; readonly origin: SkillOrigin }[]
}

/** One text for one item with one content. */
export function keyOf({ kind, name, hash }: TrustRef): string {
  return JSON.stringify([kind, name, hash])
}

/** What was decided of exactly this content; `changed` where only other content of it was decided on. */
export function stateOf(ref: TrustRef, decisions: readonly TrustDecision[]): TrustItem['state'] {
  const same = decisions.filter(({ kind, name }) => kind === ref.kind && name === ref.name)
  const decided = same.find(({ hash }) => hash === ref.hash)
  if (decided !== undefined) return decided.isTrusted ? 'trusted' : 'declined'
  return same.length > 0 ? 'changed' : 'new'
}

/** Everything that was found, as it is shown; notes of a content are made once. */
export function itemsOf(finds: ProjectFinds, decisions: readonly TrustDecision[], around: TrustSurroundings): readonly TrustItem[] {
  const item = (ref: TrustRef, shown: Pick<TrustItem, 'path' | 'sizeBytes' | 'text' | 'notes' | 'server' | 'skill'>): TrustItem => ({ ...ref, ...shown, state: stateOf(ref, decisions), lines: linesIn(shown.text) })
  return [
    ...finds.instructions.map(({ path, text, hash, sizeBytes }) => item({ kind: 'instructions', name: path, hash }, { path, sizeBytes, text, notes: textNotes(hash, text), server: null, skill: null })),
    ...finds.servers.map(({ path, config, text, hash }) =>
      item({ kind: 'server', name: config.name, hash }, { path, sizeBytes: utf8Length(text), text, notes: notesOfServer(config, around), server: shownServer(config, around), skill: null })),
    ...finds.skills.map((found) =>
      item({ kind: 'skill', name: found.skill.path, hash: found.hash }, {
        path: found.skill.path, sizeBytes: found.sizeBytes, text: found.text, notes: [...skillNotes(found, around), ...textNotes(found.hash, found.text)], server: null,
        skill: { description: found.skill.description, tools: found.skill.tools?.map(({ tool, programs }) => (programs === null ? tool : `${tool}(${programs.join(', ')})`)) ?? null },
      })),
  ]
}

const made = new Map<string, TrustNotes>()
const mostMade = 500

function textNotes(hash: string, text: string): TrustNotes {
  const known = made.get(hash)
  if (known !== undefined) return known
  if (made.size >= mostMade) made.clear()
  const notes = notesOfText(text)
  made.set(hash, notes)
  return notes
}

/** Names beyond these are counted. */
const namedFiles = 5

function skillNotes({ skill: { name }, others }: FoundSkill, { appSkills }: TrustSurroundings): TrustNotes {
  const files: TrustNotes = others.length === 0 ? [] : [{ line: null, tone: 'warn', say: said('trust.skill-files', { count: others.length, names: [...others.slice(0, namedFiles), ...(others.length > namedFiles ? ['…'] : [])] }) }]
  const same = appSkills.find((one) => one.name === name)
  if (same !== undefined) return [...files, { line: null, tone: 'warn', say: said(same.origin === 'app' ? 'trust.skill-shadows-app' : 'trust.skill-shadows-own', { name }) }]
  const alike = appSkills.find((one) => foldLookalikes(one.name).toLowerCase() === foldLookalikes(name).toLowerCase())
  return alike === undefined ? files : [...files, { line: null, tone: 'bad', say: said('trust.skill-looks-like', { other: alike.name }) }]
}

function linesIn(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/u, '').split('\n').length
}
