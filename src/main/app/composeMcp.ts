import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { makeBlobStore } from '../adapters/blobs/blobStore'
import { makeMcpConnections } from '../adapters/mcp/mcpConnections'
import { loadCatalogue, schemaLimitsOf } from '../adapters/model/catalogue'
import { openMcpConfig } from '../adapters/settings/mcpConfig'
import { systemClock } from '../adapters/system/clock'
import { sha256 } from '../adapters/system/hasher'
import type { McpConfig } from '../core/ports/mcpConfig'
import { makeMcpAlone, type McpAlone } from '../services/mcpAlone'
import type { McpServersPorts } from '../services/mcpPorts'
import { mcpTimes } from '../services/mcpPorts'
import { makeMcpServers, type McpServers } from '../services/mcpServers'
import { composeSecrets, type Secrets } from './composeSecrets'
import type { Models } from './composeModels'
import type { HostOptions } from './hostOptions'

/** What the servers share with the rest of a host. */
export type SharedWithMcp = Pick<McpServersPorts, 'pins' | 'audit' | 'ids' | 'desk' | 'blobs' | 'scaler' | 'sessions' | 'lapsed' | 'searchPath'>

/** Wires the servers of mcp.json in the data folder. Nothing of a project's folder is read (R43). */
export async function composeMcp(options: HostOptions, kept: Secrets, models: Models, shared: SharedWithMcp): Promise<McpServers> {
  return makeMcpServers({ ...(await mcpBasics(options, kept, path.join(options.dataFolder, 'mcp.json'))), ...modelsForMcp(models), ...shared, openAddress: options.openAddress })
}

/** The servers of any one file, for a command that has no session. The file is only read; one that is not there is a fault. */
export async function openMcpAlone(options: Omit<HostOptions, 'given' | 'chosenModel'>, file: string, provider: string): Promise<McpAlone> {
  // Reading it would make it, and this file is somebody's own.
  await access(file)
  const kept = await composeSecrets(options)
  const basics = await mcpBasics(options, kept, file)
  const catalogue = await loadCatalogue(options.resourcesFolder)
  const blobs = makeBlobStore(path.join(options.dataFolder, 'outputs'))
  return makeMcpAlone({ ...basics, config: { ...basics.config, watch: () => () => undefined }, startFolder: process.cwd(), blobs, limits: schemaLimitsOf(catalogue, provider) })
}

/** What servers need of this machine, whichever file configures them. */
export async function mcpBasics(options: Pick<HostOptions, 'home' | 'platform' | 'resourcesFolder' | 'locale'>, kept: Secrets, file: string): Promise<Pick<McpServersPorts, 'connections' | 'config' | 'secrets' | 'clock' | 'hasher' | 'redact' | 'makeFilter' | 'remember' | 'withoutKnown' | 'locale' | 'home' | 'env' | 'times'>> {
  const config: McpConfig = openMcpConfig(file, { home: options.home, env: kept.environment, platform: options.platform })
  return {
    connections: makeMcpConnections({ version: await versionOf(options.resourcesFolder) }),
    config,
    secrets: kept.secrets,
    clock: systemClock,
    hasher: sha256,
    redact: kept.redact,
    makeFilter: kept.makeFilter,
    remember: kept.remember,
    withoutKnown: kept.withoutKnown,
    locale: options.locale,
    home: options.home,
    env: kept.environment,
    times: mcpTimes,
  }
}

function modelsForMcp(models: Models): Pick<McpServersPorts, 'model' | 'choice' | 'facts' | 'schemaLimits'> {
  return { model: models.client, choice: () => models.providers.choice(), facts: (choice) => models.providers.facts(choice), schemaLimits: (choice) => models.schemaLimits(choice) }
}

/** package.json lies beside the resources, in the repository and in the built app. */
async function versionOf(resourcesFolder: string): Promise<string> {
  const read: unknown = JSON.parse(await readFile(path.join(resourcesFolder, '../package.json'), 'utf8'))
  const version = typeof read === 'object' && read !== null && 'version' in read ? read.version : null
  return typeof version === 'string' ? version : '0'
}
