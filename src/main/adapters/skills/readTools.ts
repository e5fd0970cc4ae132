import { said } from '../../../shared/domain/result'
import type { SkillTool } from '../../../shared/domain/skill'
import type { Field } from './frontMatter'
import type { Note } from './place'

/** Tools as other programs name them, and ours that do the same. */
const named: Readonly<Record<string, readonly string[]>> = {
  Read: ['read_file', 'list_files'],
  LS: ['list_files'],
  Grep: ['search_text'],
  Glob: ['find_files'],
  Bash: ['run_command'],
  Edit: ['edit_file'],
  MultiEdit: ['edit_file'],
  Write: ['write_file'],
  WebFetch: ['fetch_url'],
  WebSearch: ['search_web'],
  TodoWrite: ['update_plan'],
  AskUserQuestion: ['ask_user'],
  Skill: ['load_skill'],
}
/** Ours (R102). A test holds this against the tools there are. */
export const ownTools: ReadonlySet<string> = new Set([
  'read_file', 'list_files', 'search_text', 'find_files', 'write_file', 'edit_file', 'move_path', 'delete_path', 'run_command', 'cat', 'update_plan', 'ask_user',
  'fetch_url', 'search_web', 'search_code', 'save_memory', 'load_skill', 'read_resource', 'search_tools', 'start_server',
])
const word = /([^\s,()]+)(?:\(([^)]*)\))?/g

/** `allowed-tools`: a text divided by blanks or commas, or a list. Null when the field is not there or empty. */
export function readTools(field: Field | undefined, note: Note): readonly SkillTool[] | null {
  if (field === undefined || field.value === null || field.value === undefined) return null
  const entries = field.list ?? [field]
  const tools = new Map<string, readonly string[] | null>()
  for (const entry of entries) {
    if (entry.text === null && entry.value !== '') note(entry.at, said('skill.tools-form'))
    for (const [, name = '', inside] of (entry.text ?? '').matchAll(word)) {
      for (const { tool, programs } of meant(name, inside, (code) => note(entry.at, said(code, { tool: inside === undefined ? name : `${name}(${inside})` })))) {
        const known = tools.get(tool)
        tools.set(tool, known === null || programs === null ? null : [...new Set([...(known ?? []), ...programs])])
      }
    }
  }
  return [...tools].map(([tool, programs]) => ({ tool, programs }))
}

type ToolFault = 'skill.tool-unknown' | 'skill.tool-pattern' | 'skill.tool-words'

function meant(name: string, inside: string | undefined, fault: (code: ToolFault) => void): readonly SkillTool[] {
  const tools = Object.hasOwn(named, name) ? named[name] : ownTools.has(name) || name.startsWith('mcp__') ? [name] : undefined
  if (tools === undefined) {
    fault('skill.tool-unknown')
    return []
  }
  const isAll = inside === undefined || ['', '*', ':*', '**'].includes(inside.trim())
  if (isAll) return tools.map((tool) => ({ tool, programs: null }))
  if (!tools.includes('run_command')) {
    fault('skill.tool-pattern')
    return tools.map((tool) => ({ tool, programs: null }))
  }
  const [program = '', ...more] = inside.replace(/:?\*$/, '').trim().split(/\s+/)
  if (more.length > 0) fault('skill.tool-words')
  return [{ tool: 'run_command', programs: [program] }]
}
