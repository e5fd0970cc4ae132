import { fail, succeed } from '../../shared/domain/result'
import type { HostServices } from '../services/hostServices'
import type { WindowAbilities } from './windowAbilities'
import type { Handlers } from './answer'

type Part<Prefix extends string> = Pick<Handlers, Extract<keyof Handlers, `${Prefix}/${string}`>>

/** Memory, skills, retrieval and the endpoints they use. */
export function libraryHandlers(host: HostServices, window: WindowAbilities): Part<'memory' | 'skill' | 'prompt' | 'retrieval' | 'endpoint'> {
  return { ...memoryHandlers(host, window), ...skillHandlers(host, window), ...retrievalHandlers(host) }
}

function memoryHandlers(host: HostServices, window: WindowAbilities): Part<'memory'> {
  const { memories } = host
  const here = () => {
    const open = host.current()
    if (!open) throw new Error('no folder is open')
    return open.workspace.id
  }
  return {
    'memory/page': async (ask) => memories.page(here(), ask, await host.windowTokens()),
    'memory/save': (draft) => memories.save(here(), draft),
    'memory/change': ({ changes }) => memories.change(here(), changes),
    'memory/remove': ({ ids }) => memories.remove(here(), ids),
    'memory/clear': ({ scope }) => memories.clear(here(), scope),
    'memory/restore': ({ from }) => memories.restore(here(), from),
    'memory/import': async ({ scope }) => {
      const file = await window.chooseTextFile()
      if (file === null) return null
      return file.ok ? memories.importText(here(), file.value.text, scope) : file
    },
    'memory/export': async ({ format, scope }) => {
      const { text, count } = await memories.exportText(here(), format, scope)
      const saved = await window.saveTextFile(format === 'json' ? 'memories.json' : 'memories.md', text)
      if (saved === null) return null
      return saved.ok ? succeed({ path: saved.value.path, count }) : saved
    },
  }
}

function skillHandlers(host: HostServices, window: WindowAbilities): Part<'skill' | 'prompt'> {
  const { skills } = host
  return {
    'skill/read': () => skills.page(),
    'skill/text': (id) => skills.text(id),
    'skill/switch': ({ isOn, ...id }) => skills.switch(id, isOn),
    'skill/reload': () => skills.reload(),
    'skill/open-folder': async () => {
      const { folder } = await skills.page()
      return (await window.showFolder(folder)) ? succeed(null) : fail('skill.folder-not-shown', { path: folder })
    },
    'prompt/parts': ({ sessionId, draft, files }) => host.promptCost(sessionId, draft, files),
  }
}

function retrievalHandlers({ retrieval, endpoints }: HostServices): Part<'retrieval' | 'endpoint'> {
  return {
    'retrieval/read': () => Promise.resolve(retrieval.state()),
    'retrieval/rebuild': async () => {
      await retrieval.rebuild()
      return null
    },
    'endpoint/list': () => endpoints.list(),
    'endpoint/save-key': async ({ of, key, passPhrase }) => {
      const saved = await endpoints.saveKey(of, key, passPhrase)
      if (saved.ok) await retrieval.settingsChanged()
      return saved
    },
    'endpoint/remove-key': async ({ of }) => {
      const removed = await endpoints.removeKey(of)
      if (removed.ok) await retrieval.settingsChanged()
      return removed
    },
    'endpoint/test': ({ of }) => endpoints.test(of),
    'endpoint/cancel-test': ({ of }) => {
      endpoints.cancelTest(of)
      return Promise.resolve(null)
    },
  }
}
