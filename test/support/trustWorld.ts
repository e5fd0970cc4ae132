import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { openProjectFiles, readProjectSkill } from '../../src/main/app/composeTrust'
import { readMcpText } from '../../src/main/adapters/settings/mcpText'
import { sha256 } from '../../src/main/adapters/system/hasher'
import { judgeCommand } from '../../src/main/core/policy/commandGuard'
import type { TrustDecision, TrustStore } from '../../src/main/core/ports/trustStore'
import { makeProjectConfig } from '../../src/main/core/trust/projectConfig'
import type { ProjectConfig } from '../../src/main/core/trust/projectFinds'
import { makeTrust, type Trust } from '../../src/main/services/trust'
import type { AuditDraft } from '../../src/shared/domain/audit'
import { asId, type WorkspaceId } from '../../src/shared/domain/ids'
import type { Workspace } from '../../src/shared/domain/session'

export interface TrustWorld {
  readonly root: string
  readonly workspace: Workspace
  readonly config: ProjectConfig
  readonly trust: Trust
  readonly audit: readonly AuditDraft[]
  readonly put: (at: string, text: string | Uint8Array) => void
  readonly isThere: (at: string) => boolean
  /** The same store and files in a new service, as after a start of the app. */
  readonly restart: () => Trust
}

/** A real folder with the real finder and service; decisions and record lie in memory. */
export function makeTrustWorld(files: Readonly<Record<string, string>> = {}, app: { readonly servers?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {}): TrustWorld {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-trust-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const root = path.join(folder, 'project')
  const put = (at: string, text: string | Uint8Array): void => {
    mkdirSync(path.dirname(path.join(root, at)), { recursive: true })
    writeFileSync(path.join(root, at), text)
  }
  mkdirSync(root)
  mkdirSync(path.join(folder, 'data'))
  for (const [at, text] of Object.entries(files)) put(at, text)
  const places = { home: path.join(folder, 'home'), dataFolder: path.join(folder, 'data') }
  const config = makeProjectConfig({ open: (at) => openProjectFiles(at, places), readServers: readMcpText, readSkill: readProjectSkill, hasher: sha256 })
  const audit: AuditDraft[] = []
  const store = memoryTrust()
  const restart = (): Trust =>
    makeTrust({
      config, store, clock: { nowMs: () => 1000 },
      audit: { append: (draft) => { audit.push(draft); return Promise.resolve({ entries: audit.length, chain: '' }) } },
      use: () => Promise.resolve(),
      surroundings: (at) => Promise.resolve({ judge: (command) => judgeCommand(command, { cwd: at, root: at, home: places.home, appData: places.dataFolder }), isSet: (name) => Object.hasOwn(app.env ?? {}, name), appServers: app.servers ?? [], appSkills: [{ name: 'review', origin: 'app' }] }),
    })
  const workspace = { id: asId<WorkspaceId>('w1'), root, name: 'project' }
  return { root, workspace, config, trust: restart(), audit, put, isThere: (at) => existsSync(path.join(root, at)), restart }
}

function memoryTrust(): TrustStore {
  const kept = new Map<string, TrustDecision[]>()
  return {
    decisions: (id) => Promise.resolve(kept.get(id) ?? []),
    decide(id, decisions) {
      const others = (kept.get(id) ?? []).filter((one) => !decisions.some(({ kind, name, hash }) => one.kind === kind && one.name === name && one.hash === hash))
      kept.set(id, [...others, ...decisions])
      return Promise.resolve()
    },
  }
}
