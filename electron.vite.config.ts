import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type UserConfig } from 'electron-vite'

// One build runs on the shipped Electron and on the older stand-in used for tests: name the older one's targets.
const nodeTarget = 'node20.18'
const chromeTarget = 'chrome130'

const mainInputs = {
  index: resolve('src/main/index.ts'),
  headless: resolve('src/main/headless.ts'),
  sqliteWorker: resolve('src/main/adapters/sqlite/worker.ts'),
  gitWorker: resolve('src/main/adapters/git/worker.ts'),
  gitScanWorker: resolve('src/main/adapters/git/scanWorker.ts'),
  packWorker: resolve('src/main/adapters/git/packWorker.ts'),
  webWorker: resolve('src/main/adapters/web/worker.ts'),
  imageWorker: resolve('src/main/adapters/images/worker.ts'),
  libraryWorker: resolve('src/main/app/libraryWorker.ts'),
  outputWorker: resolve('src/main/app/outputWorker.ts'),
}

const main: NonNullable<UserConfig['main']> = {
  build: {
    target: nodeTarget,
    sourcemap: true,
    externalizeDeps: true,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(mainInputs).filter(([, file]) => existsSync(file))),
      // Chunks lie beside the entries, so `import.meta.dirname` is out/main in every module.
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
}

const preload: NonNullable<UserConfig['preload']> = {
  build: {
    target: nodeTarget,
    sourcemap: true,
    externalizeDeps: false, // a sandboxed preload can require nothing but electron
    rolldownOptions: {
      input: { index: resolve('src/preload/index.ts') },
      output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    },
  },
}

const renderer: NonNullable<UserConfig['renderer']> = {
  root: 'src/renderer',
  resolve: { alias: { '@': resolve('src/renderer') } },
  plugins: [react(), tailwindcss()],
  worker: { format: 'es' },
  build: {
    target: chromeTarget,
    minify: true,
    assetsInlineLimit: 0, // inlined fonts and images would need `data:` in the content policy
    rolldownOptions: { input: { index: resolve('src/renderer/index.html') } },
  },
}

const parts = { main, preload, renderer }

/** scripts/build.mjs names the parts that are stale; everything otherwise. */
const wanted = process.env['COUNTERSIGN_BUILD_PARTS']?.split(',') ?? Object.keys(parts)

export default defineConfig(Object.fromEntries(Object.entries(parts).filter(([name]) => wanted.includes(name))))
