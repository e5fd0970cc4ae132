import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.resolve(import.meta.dirname, '../..')

/** The rules of who may import whom. */
export const floorsFile = path.join(root, '.dependency-cruiser.cjs')

/** What the rules say of `src` below a folder: `rule: importer → imported`. */
export async function cruise(folder: string): Promise<readonly string[]> {
  const cli = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const run = await promisify(execFile)(process.execPath, [cli, '--config', floorsFile, '--output-type', 'json', 'src'], { cwd: folder, maxBuffer: 1 << 28 }).catch((error: { stdout: string }) => error)
  const report = JSON.parse(run.stdout) as { summary: { violations: { rule: { name: string }; from: string; to: string }[] } }
  return report.summary.violations.map((violation) => `${violation.rule.name}: ${violation.from} → ${violation.to}`)
}
