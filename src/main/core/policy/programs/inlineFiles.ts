import { plainArg, type Call, type Outcome } from '../shell/call'
import { join, nothing } from '../shell/outcomes'
import { touch, type PlaceUse } from '../shell/places'

const deletesMany = /\b(?:unlink|rmtree|rm_rf|remove|rmSync|unlinkSync|delete|rm)\b/u
const deletes = /\b(?:rmtree|rm_rf|rm_r|remove_entry|remove_entry_secure|remove_tree|rmSync|rmdirSync|rmdir|unlink|unlinkSync|rm|remove|removedirs|removeSync|emptyDirSync|emptyDir|rimraf(?:\.sync|Sync)?|sync|trash(?:Sync)?|delete|File::Path::rmtree|deltree|del_dir_r)\s*\(?\s*([^;)]*)/gu
const moves = /\b(?:rename|renameSync|renames|move|mv)\s*\(?\s*(["'])((?:\\.|(?!\1)[^\\\n])*)\1/gu
const printsInto = /["']\s*(?:>{1,2}|\+<)\s*((?:~|\/)[^"'\n]*)["']/gu
const objects = /\b(?:Path|PosixPath|Pathname\.new|Dir\.new|File|Paths\.get|Path\.of)\(\s*(["'])((?:\\.|(?!\1)[^\\\n])*)\1[^;\n]{0,60}?\.(?:rmtree|unlink|rmdir|delete|deleteRecursively|remove_dir_all)\b/gu
const opens = /["'`]((?:~|\/|\.{1,2}\/)[^"'`\n]*)["'`]/gu
const writes = /(?:writeFile|appendFile|outputFile|writeJson|file_put_contents|truncate|ftruncate|createWriteStream|File\.write|IO\.write|File\.symlink|writeTextFile|chmod|chown|lchown|utime)\w*\s*\(?\s*$/u
const opensBefore = /\b(?:f?open\w*|File\.(?:open|new))\s*\(?\s*$/u
const modeBehind = /^\s*,\s*(?:mode\s*=\s*|flags?\s*:\s*)?["'](?:w|a|x|r\+)[bt+x]*["']/u
const methodBehind = /^\s*\)+\s*(?:\.\w+\(\s*\))*\.(?:write_text|write_bytes|touch|open\(\s*["'](?:w|a|x|r\+)|chmod|symlink_to|hardlink_to)/u
const modeBefore = /["']\s*(?:\+?[<>]{1,2})[^"']*["']\s*,\s*$/u
const targetOf = /\b(?:copy\w*|cp\w*|move|mv|rename\w*|link\w*|symlink\w*|install|replace)\s*\(?\s*["'`][^"'`\n]*["'`]\s*,\s*$/u
const assigned = /(?:^|[\s,(;])[\w$.]+\s*:?=\s*(?:[\w.]+\(\s*)?$/u
const writesSomewhere = /["'](?:w|a|wb|ab|r\+|w\+|x)["']|writeFile|appendFile|write_text|write_bytes|file_put_contents|truncate|File\.write/u

/** So much around a path of the code says what is done with it. */
const around = 80

/** Files and folders that inline code plainly deletes, moves, writes or reads: only those count that nothing may touch. */
export function judgeInlineFiles(call: Call, text: string): Outcome {
  return join(deletion(call, text), opening(call, text))
}

function deletion(call: Call, text: string): Outcome {
  const found = [...text.matchAll(deletes)].flatMap((match) => [...(match[1] ?? '').matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/gu)].map((word) => unescapeText(word[2] ?? '')))
  // `for f in glob('/etc/*')`: what is deleted one by one stands elsewhere in the code.
  const each = deletesMany.test(text) && /\b(?:glob|for|map|each|walk|forEach|scandir|readdir\w*)\b/u.test(text) ? [...text.matchAll(opens)].map((match) => (match[1] ?? '').replace(/(?<=.)\/[*.]+$/u, '')) : []
  const called = [...text.matchAll(objects)].map((match) => unescapeText(match[2] ?? ''))
  const moved = [...text.matchAll(moves)].map((match) => touch(call, plainArg(unescapeText(match[2] ?? '')), 'move'))
  return onlyDenied([...moved, ...[...found, ...each, ...called].filter((path) => path !== '').map((path) => touch(call, plainArg(path.startsWith('~/') || path === '~' ? call.where.home + path.slice(1) : path), 'delete-tree'))])
}

function opening(call: Call, text: string): Outcome {
  const paths = [...text.matchAll(opens)].map((match) => touch(call, plainArg(atHome(call, match[1] ?? '')), useOf(text, match.index, match.index + match[0].length)))
  const printed = [...text.matchAll(printsInto)].map((match) => touch(call, plainArg(atHome(call, match[1] ?? '')), 'write'))
  return onlyDenied([...paths, ...printed])
}

/** Whether the code writes to a path that stands in it, by what stands around it. */
function useOf(text: string, from: number, to: number): PlaceUse {
  const before = text.slice(Math.max(0, from - around), from)
  const behind = text.slice(to, to + around)
  const isWritten = writes.test(before) || (opensBefore.test(before) && modeBehind.test(behind)) || methodBehind.test(behind) || modeBefore.test(before) || targetOf.test(before)
  return isWritten || (assigned.test(before) && writesSomewhere.test(text)) ? 'write' : 'read'
}

function atHome(call: Call, path: string): string {
  return path.startsWith('~') ? call.where.home + path.slice(1) : path
}

function onlyDenied(found: readonly Outcome[]): Outcome {
  const denied = found.filter((each) => each.kind === 'deny')
  return denied.length === 0 ? nothing : { ...join(...denied), reads: [], writes: [], deletes: [] }
}

/** A text of the code as it is when it runs. */
export function unescapeText(text: string): string {
  return text
    .replace(/\\x([0-9a-fA-F]{2})/gu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/\\u([0-9a-fA-F]{4})/gu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/\\([0-7]{3})/gu, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
    .replace(/\\n/gu, '\n').replace(/\\([\s\S])/gu, '$1')
}
