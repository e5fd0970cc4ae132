import { said, type Said } from '../../../shared/domain/result'
import type { RuleShape, RuleWord } from '../../../shared/domain/rule'
import { globFits } from './permissionGlob'
import { hasSubCommands, interpreters, runsNext, toolRunners } from './subCommands'

/** Programs that start others when they are told to. */
const executing = /^(?:find|gfind|fd|xargs|parallel|env|tar|gtar|bsdtar|zip|g?sed|[gmn]?awk|make|gmake|just|task|rake|watch|entr|rg|ack|man|less|vi|vim|nvim|ed|ex|emacs|ssh|expect|script|strace|gdb|docker|podman|kubectl)$/u
/** Programs that reach other machines. */
const reaching = /^(?:curl|wget|aria2c|http|https|xh|nc|ncat|netcat|socat|telnet|ftp|sftp|scp|rsync|ssh|ping|dig|nslookup|host|whois|openssl|aws|az|gcloud|gh|glab)$/u
/** Programs that only read or print, whatever words follow: the guard judges each option of theirs. */
const reading = /^(?:ls|cat|head|tail|wc|grep|egrep|fgrep|echo|pwd|cd|printf|true|false|test|\[|which|type|stat|file|du|df|tree|date|basename|dirname|realpath|readlink|sort|uniq|cut|tr|diff|cmp|nl|tac|rev|column|jq|sleep)$/u

/**
 * Why a shape that allows covers more than people mean by it; null when it does not. Said of a rule before it is saved and as
 * long as it stands; it forbids nothing.
 */
export function isTooWide(shape: RuleShape): Said | null {
  if (shape.kind === 'command') return wideCommand(shape.words, shape.isOpen)
  const isChanging = shape.kind === 'files' && !/^(?:read|list|find|search)_/u.test(shape.tool)
  return isChanging && globFits(shape.glob, 'a') && globFits(shape.glob, 'a/b/c') ? said('guard.wide-folder') : null
}

function wideCommand(words: readonly RuleWord[], isOpen: boolean): Said | null {
  const [first, second, third] = words
  if (first === undefined || first.kind !== 'exact') return said('guard.wide-program', { program: '*' })
  const program = first.text
  if (!isOpen && words.every(({ kind }) => kind === 'exact')) return null
  const isFree = (word: RuleWord | undefined): boolean => (word === undefined ? isOpen : isAny(word))
  const command = second?.kind === 'exact' ? second.text : null

  const runs = command === null ? null : runsNext(program, command)
  if (runs === 'script' && isFree(third)) return said('guard.wide-script', { file: 'package.json' })
  if ((runs === 'tool' && isFree(third)) || (toolRunners.has(program) && isFree(second))) return said('guard.wide-runner', { program: command === null || toolRunners.has(program) ? program : `${program} ${command}` })
  if (interpreters.test(program) && (isFree(second) || (command?.startsWith('-') === true && isFree(third)))) return said('guard.wide-interpreter', { program })
  if (hasSubCommands(program) && isFree(second)) return said('guard.wide-any-command', { program })
  if (reaching.test(program)) return said('guard.wide-network', { program })
  if (executing.test(program)) return said('guard.wide-executes', { program })
  return isFree(second) && !reading.test(program) ? said('guard.wide-program', { program }) : null
}

function isAny(word: RuleWord): boolean {
  return word.kind === 'any' || (word.kind === 'pattern' && /^\*+$/u.test(word.text))
}
