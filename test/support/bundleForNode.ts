import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'vite'

/**
 * Bundles a module so that plain node can run it as a process of its own: tests of what two processes do to one file.
 * `besidePackages`: packages stay where they are, as those must that come with a binary; the bundle then lies among the builds.
 *
 * @returns the bundled file, in a folder of its own, below the system's temporary one or among the builds; whoever asked removes the folder.
 */
export async function bundleForNode(entry: string, { besidePackages = false } = {}): Promise<string> {
  const builds = path.resolve(import.meta.dirname, '../../out')
  const outDir = await mkdtemp(path.join(besidePackages ? builds : tmpdir(), 'countersign-child-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root: path.dirname(entry),
    // Far from node_modules: all it needs goes in.
    ssr: besidePackages ? {} : { noExternal: true },
    build: { ssr: entry, outDir, emptyOutDir: false, target: 'node20', minify: false, rolldownOptions: { output: { entryFileNames: 'child.mjs' } } },
  })
  return path.join(outDir, 'child.mjs')
}
