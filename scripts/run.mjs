#!/usr/bin/env node
// The commands without a window: `node scripts/run.mjs headless|lab|window -- ARGUMENTS`. Sets up and builds first when needed,
// then becomes the program: same process, so its signals, input and exit code are its own. stdout stays clean for it.
import './requireNode.mjs'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfStale, windowParts } from './build.mjs'
import { stopChildrenOnSignal } from './command.mjs'
import { explain } from './main.mjs'
import { say } from './say.mjs'
import { root, setUp } from './steps.mjs'

/** @type {Record<string, { parts: import('./build.mjs').Part[], file: string }>} */
const programs = {
  headless: { parts: ['main'], file: 'out/main/headless.js' },
  lab: { parts: ['main', 'lab'], file: 'out/lab/index.js' },
  window: { parts: [...windowParts, 'lab'], file: 'out/lab/index.js' },
}

const [name = '', ...rest] = process.argv.slice(2)
const program = programs[name]
if (!program) {
  say(`no such program: ${name}; there are headless, lab, window`)
  process.exit(2)
}
const file = path.join(root, program.file)
const endSetUp = stopChildrenOnSignal()
try {
  const { COUNTERSIGN_SQLITE_BINDING: binding, ...electron } = await setUp(name === 'window' ? 'window' : 'headless')
  if (binding) process.env.COUNTERSIGN_SQLITE_BINDING = binding
  // The lab measures the window's start as well; the product's own command line has no use for a runtime.
  if (name !== 'headless') Object.assign(process.env, electron)
  await buildIfStale(program.parts)
} catch (error) {
  process.exit(explain(error))
}
if (!existsSync(file)) {
  say(`${program.file} is not built: its source is missing`)
  process.exit(1)
}
endSetUp()
process.argv = [process.execPath, file, ...(name === 'window' ? ['window'] : []), ...(rest[0] === '--' ? rest.slice(1) : rest)]
await import(pathToFileURL(file).href)
