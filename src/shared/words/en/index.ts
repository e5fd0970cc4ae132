import { approval } from './approval'
import { app } from './app'
import { audit } from './audit'
import { call } from './call'
import { command } from './command'
import { doctor } from './doctor'
import { file } from './file'
import { guard } from './guard'
import { mcp } from './mcp'
import { model } from './model'
import { path } from './path'
import { practice } from './practice'
import { rollback } from './rollback'
import { search } from './search'
import { servers } from './servers'
import { session } from './session'
import { settings } from './settings'
import { snapshot } from './snapshot'
import { timeline } from './timeline'
import { tool } from './tool'
import { turn } from './turn'
import { ui } from './ui'
import { provider } from './provider'
import { memory } from './memory'
import { skill } from './skill'
import { retrieval } from './retrieval'
import { web } from './web'
import { welcome } from './welcome'

/** Every English sentence, by code. `{name}` is a value; `{n:one|many}` chooses by the value and prints only the word. */
export const en = {
  ...app, ...approval, ...audit, ...call, ...command, ...doctor, ...file, ...guard, ...mcp, ...model, ...path, ...practice, ...rollback, ...search, ...servers, ...session, ...settings, ...snapshot,
  ...timeline, ...tool, ...turn, ...ui, ...provider, ...memory, ...skill, ...retrieval, ...web, ...welcome,
} as const
