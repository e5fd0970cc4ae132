import type { SayCode } from '../codes'
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
import { welcome } from './welcome'

/** Every Chinese sentence, by code. Same codes and values as the English ones. */
export const zhCN: Readonly<Record<SayCode, string>> = {
  ...app, ...approval, ...audit, ...call, ...command, ...doctor, ...file, ...guard, ...mcp, ...model, ...path, ...practice, ...rollback, ...search, ...servers, ...session, ...settings, ...snapshot,
  ...timeline, ...tool, ...turn, ...ui, ...provider, ...welcome,
}
