import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const root = resolve(import.meta.dirname, '../..')
const { dependencies } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
const outside = [...Object.keys(dependencies), ...builtinModules, 'electron']

/** Builds the lab (test and measurement commands) for node; what `npm ci` installs stays outside the bundle. */
export default defineConfig({
  root,
  build: {
    ssr: resolve(import.meta.dirname, 'index.ts'),
    outDir: resolve(root, 'out/lab'),
    target: 'node20.18',
    sourcemap: true,
    minify: false,
    rolldownOptions: {
      external: (id) => id.startsWith('node:') || outside.some((name) => id === name || id.startsWith(`${name}/`)),
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
