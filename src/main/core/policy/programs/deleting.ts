import type { Arg, Call, Outcome, ProgramTable } from '../shell/call'
import { allow, ask, join, nothing } from '../shell/outcomes'
import { touchAll } from '../shell/places'
import { hasOption, judgeOptions, optionTable, readOptions } from './options'

const rmOptions = optionTable('-fiIrRdvxPW --force --interactive? --one-file-system --no-preserve-root! --preserve-root? --recursive --dir --verbose')

/** `rm`: every operand counts. A pattern that takes all files of a folder asks even without `-r`. */
function rm(call: Call): Outcome {
  const given = readOptions(call.args, rmOptions)
  const isTree = hasOption(given, '-r', '-R', '--recursive')
  const all = given.operands.filter(takesAll)
  const asksAll = all.length > 0 && !isTree ? ask('guard.deletes-source', { path: all.map((arg) => arg.shown).join(' ') }, true) : nothing
  return join(given.operands.length === 0 ? allow('guard.nothing-against') : nothing, judgeOptions(call, given), asksAll, touchAll(call, given.operands, isTree ? 'delete-tree' : 'delete'))
}

function takesAll(arg: Arg): boolean {
  const name = arg.text.split('/').at(-1) ?? ''
  return /[\uFDD1]/u.test(name) && !/\.(?:log|tmp|temp|bak|orig|rej|swp|pyc|o|obj|class|tsbuildinfo|tgz)$/u.test(name)
}

const shredOptions = optionTable('-fuvxz -n= -s= --force --iterations= --random-source=r --size= --remove? --verbose --exact --zero')

/** Overwrites: what was there cannot be read from the disk any more, but snapshots hold it. */
function shred(call: Call): Outcome {
  const given = readOptions(call.args, shredOptions)
  return join(judgeOptions(call, given), touchAll(call, given.operands, 'write'), touchAll(call, given.operands, 'delete'))
}

function rmdir(call: Call): Outcome {
  const given = readOptions(call.args, optionTable('-pv --ignore-fail-on-non-empty --parents --verbose'))
  return join(judgeOptions(call, given), touchAll(call, given.operands, 'delete'))
}

/** Programs for throwing whole folders away. */
function tool(call: Call): Outcome {
  const given = readOptions(call.args, optionTable('-rfvg --glob --no-glob --help --version --force --recursive --preserve-root'))
  return join(judgeOptions(call, given), touchAll(call, given.operands, 'delete-tree'))
}

/** Programs whose purpose is deleting. */
export const deletingPrograms: ProgramTable = {
  rm, grm: rm, shred, rmdir, srm: rm, wipe: tool, rimraf: tool, del: tool, 'del-cli': tool, trash: tool, 'trash-put': tool, 'gio-trash': tool, 'safe-rm': rm,
  unlink: (call) => touchAll(call, call.args, 'delete'),
}
