import type { RuleShape } from '../../../shared/domain/rule'
import type { JudgedPath } from '../tools/defineTool'
import { coversTrees, globFits, globFitsFolded, globReachesBelow } from './permissionGlob'
import { fitsWords, restricts, type Restriction } from './permissionRestrict'
import type { PermissionQuestion } from './permissionQuestion'
import { hostOf, isThisMachine } from './programs/hosts'
import { isSecretPath, protectionOf } from './protectedPaths'
import type { JudgedPart } from './shell/call'
import { UNKNOWN } from './shell/marks'

/** Tools whose calls act on files at the paths they name. */
const fileTools: ReadonlySet<string> = new Set(['read_file', 'list_files', 'find_files', 'search_text', 'search_code', 'write_file', 'edit_file', 'delete_path', 'move_path'])
/** The tool that reads pages. */
const pageTool = 'fetch_url'

/**
 * Whether a shape that allows covers one simple command: literally from its first word on, word by word, to the end or, when
 * it is open, as far as it goes. Only commands that a rule may answer at all: allowable, without redirect, substitution,
 * unlisted environment or wrapper, inside the project, nothing unknown, and no other machine.
 */
export function fitsPart(shape: RuleShape, part: JudgedPart): boolean {
  return shape.kind === 'command' && canBeAnswered(part) && fitsFolder(shape, part) && fitsWords(shape, part.words)
}

function fitsFolder({ folder }: Extract<RuleShape, { readonly kind: 'command' }>, part: JudgedPart): boolean {
  return folder === undefined || folder === part.folder
}

/** Whether a rule or grant may answer for this part at all. */
export function canBeAnswered(part: JudgedPart): boolean {
  return part.verdict === 'allowable' && part.fit === 'plain' && part.hosts.every(isThisMachine) && /^\w/u.test(part.words[0] ?? '') && !part.words.some((word) => word.includes(UNKNOWN))
}

/** Whether every place of a file tool's call lies in the project, is nowhere protected, and is covered by the glob. */
export function fitsPlaces(glob: string, places: readonly JudgedPath[]): boolean {
  return places.length > 0 && places.every((place) => isFreePlace(place) && globFits(glob, place.facts.relative ?? '') && (!takesTree(place) || coversTrees(glob)))
}

/** In the project, and neither a secret nor executed by others. */
export function isFreePlace({ facts: { problem, relative } }: JudgedPath): boolean {
  return problem === null && relative !== null && protectionOf(relative) === null && !isSecretPath(relative)
}

/** Whether a call acts on all that lies below its place. */
export function takesTree({ use, facts }: JudgedPath): boolean {
  return facts.kind === 'folder' && (use === 'delete' || use === 'rename')
}

/** Whether a call is for a page of that host: spelled plainly, with nothing that programs read differently. */
export function fitsHost(host: string, question: PermissionQuestion): boolean {
  return question.tool === pageTool && pageHost(question) === host
}

/**
 * The host that a call's page is read from, in lower case, with the port where it is not the scheme's own; null for other
 * tools, and for an address that is not plain enough to be sure: with a user, signs of other scripts, a percent or a backslash.
 */
export function pageHost({ tool, args }: Pick<PermissionQuestion, 'tool' | 'args'>): string | null {
  const url = args['url']
  if (tool !== pageTool || typeof url !== 'string') return null
  const [, scheme, host, port] = /^(https?):\/\/((?:[a-z0-9-]+\.)*[a-z0-9-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(?:[/?#]|$)/iu.exec(url) ?? []
  if (scheme === undefined || host === undefined) return null
  const own = scheme.toLowerCase() === 'https' ? '443' : '80'
  return `${host.toLowerCase()}${port === undefined || Number(port) === Number(own) ? '' : `:${Number(port)}`}`
}

/** Whether a rule that denies or asks is about this call. What it names is restricted in every way that is seen here: a path also for commands, a host too. */
export function restrictsQuestion(shape: RuleShape, question: PermissionQuestion): Restriction {
  switch (shape.kind) {
    case 'command':
      return severest(question.parts.map((part) => restricts(shape, part.words)))
    case 'tool':
      return shape.tool === question.tool ? 'yes' : 'no'
    case 'host':
      return reachesHost(shape.host, question) ? 'yes' : 'no'
    case 'files':
      return touchesFiles(shape, question) ? 'yes' : 'no'
  }
}

function severest(found: readonly Restriction[]): Restriction {
  return found.includes('yes') ? 'yes' : found.includes('maybe') ? 'maybe' : 'no'
}

function reachesHost(host: string, { tool, args, parts }: PermissionQuestion): boolean {
  const names = host.includes(':') && !host.startsWith('[') ? [host, host.replace(/:\d+$/u, '')] : [host]
  const url = args['url']
  const page = tool === pageTool && typeof url === 'string' ? [hostOf(url.trim()).replace(/\.$/u, ''), pageHost({ tool, args }) ?? ''] : []
  return [...page, ...parts.flatMap((part) => part.hosts)].some((each) => (names.length > 1 ? each === host : each === names[0]))
}

/** A tool that changes is restricted with all that change, one that reads with all that read. */
function touchesFiles({ tool, glob }: Extract<RuleShape, { readonly kind: 'files' }>, { tool: asked, places, parts, root }: PermissionQuestion): boolean {
  const isReading = /^(?:read|list|find|search)_/u.test(tool)
  const isCovered = (relative: string, isTree: boolean): boolean => globFitsFolded(glob, relative) || (isTree && globReachesBelow(glob, relative))
  const byTool = fileTools.has(asked) && places.some(({ use, facts }) => facts.relative !== null && (use === 'read' || use === 'list') === isReading && isCovered(facts.relative, facts.kind === 'folder' && !isReading))
  const below = (path: string): string | null => (path === root ? '' : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : null)
  const isTouched = (path: string, isTree: boolean): boolean => {
    const relative = below(path)
    return relative !== null && isCovered(relative, isTree)
  }
  const byCommand = parts.some((part) => (isReading ? part.reads.some((path) => isTouched(path, false)) : part.writes.some((path) => isTouched(path, false)) || part.deletes.some((path) => isTouched(path, true))))
  return byTool || byCommand
}
