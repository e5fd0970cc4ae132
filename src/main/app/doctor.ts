import path from 'node:path'
import { said, type Said } from '../../shared/domain/result'
import type { SandboxFacts } from '../../shared/domain/sandbox'
import { findRipgrep } from '../adapters/search/ripgrep'
import { findProgram, probeIsolation } from '../native/processTreeIsolation'
import type { HostServices } from '../services/hostServices'

/** One finding: `do` says what to do where `ok` is false and something can be done. */
export interface Finding {
  readonly check: 'runtime' | 'native modules' | 'keychain' | 'processes' | 'sandbox' | 'git' | 'ripgrep' | 'providers'
  readonly ok: boolean
  readonly say: Said
  readonly do?: Said
}

/** Looks at what the app stands on. Starts nothing that stays, changes nothing. */
export async function examine(host: HostServices, env: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  const bash = findProgram('bash', folders)
  const git = findProgram('git', folders)
  const [isolation, ripgrep, providers] = await Promise.all([bash === null ? null : probeIsolation(bash, folders), findRipgrep(), host.providers.list()])
  const real = providers.filter((provider) => provider.origin !== 'practice' && (provider.origin !== 'catalogue' || provider.key !== null))
  return [
    { check: 'runtime', ok: true, say: said('doctor.runtime', { node: process.versions.node, electron: process.versions['electron'] ?? '–' }) },
    // The database opened with its native module, or there would be no host.
    { check: 'native modules', ok: true, say: said('doctor.modules') },
    finding('keychain', host.secrets.hasKeychain, said('doctor.keychain'), said('doctor.no-keychain'), said('doctor.no-keychain-do')),
    finding('processes', isolation?.kind === 'namespace', said('doctor.namespace'), said(bash === null ? 'doctor.no-bash' : 'doctor.no-namespace')),
    sandboxFinding(await host.testSandbox()),
    finding('git', git !== null, said('doctor.git', { path: git ?? '' }), said('doctor.no-git')),
    finding('ripgrep', ripgrep !== null, said('doctor.ripgrep'), said('doctor.no-ripgrep')),
    finding('providers', real.length > 0, said('doctor.providers', { names: real.map((provider) => provider.name) }), said('doctor.no-providers'), said('doctor.no-providers-do')),
  ]
}

function sandboxFinding(facts: SandboxFacts): Finding {
  return { check: 'sandbox', ok: facts.kind === 'on', say: facts.kind === 'none' ? facts.reason : said('doctor.sandbox') }
}

function finding(check: Finding['check'], ok: boolean, good: Said, bad: Said, todo?: Said): Finding {
  return { check, ok, say: ok ? good : bad, ...(ok || !todo ? {} : { do: todo }) }
}
