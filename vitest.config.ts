import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

/** Vitest leaves one core to itself; with two cores that would be one test file at a time, and many of them wait for children, kills and clocks. */
const maxWorkers = Math.max(3, availableParallelism() - 1)
/** On a person's screen windows would take the focus from each other; without one, each file has its own. */
const hasScreen = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'])
const alias = { '@': resolve(import.meta.dirname, 'src/renderer') }

export default defineConfig({
  test: {
    // For the root alone: a project that extends it would run it again.
    globalSetup: ['test/support/globalSetup.ts'],
    projects: [
      {
        // Rules without state and platform: shared, core, and of the window what draws nothing. Their files share a process and load each module once.
        resolve: { alias },
        test: {
          name: 'rules',
          include: ['test/{shared,main/core,renderer}/**/*.test.ts'],
          exclude: ['**/*.slow.test.ts'],
          environment: 'node',
          pool: 'forks',
          isolate: false,
          maxWorkers,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'unit',
          include: ['test/{main,scripts,lab}/**/*.test.ts'],
          exclude: ['**/*.slow.test.ts', 'test/main/core/**'],
          environment: 'node',
          pool: 'forks',
          maxWorkers,
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Kills, property tests with many runs, whole journeys: part of `npm test`, left out of `npm run check`.
        test: {
          name: 'slow',
          include: ['test/{shared,main,renderer,scripts,lab,architecture}/**/*.slow.test.ts'],
          environment: 'node',
          pool: 'forks',
          maxWorkers,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        resolve: { alias },
        test: { name: 'dom', include: ['test/renderer/**/*.test.tsx'], exclude: ['**/*.slow.test.tsx'], environment: 'jsdom', pool: 'forks', maxWorkers, testTimeout: 20_000 },
      },
      {
        plugins: [react()],
        resolve: { alias },
        test: { name: 'slow-dom', include: ['test/renderer/**/*.slow.test.tsx'], environment: 'jsdom', pool: 'forks', maxWorkers, testTimeout: 60_000 },
      },
      {
        resolve: { alias },
        test: {
          name: 'architecture',
          include: ['test/architecture/**/*.test.ts'],
          exclude: ['**/*.slow.test.ts'],
          environment: 'node',
          pool: 'forks',
          isolate: false,
          maxWorkers,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          maxWorkers: hasScreen ? 1 : 2,
          fileParallelism: !hasScreen,
          setupFiles: ['test/support/ownDisplay.ts'],
          testTimeout: 90_000,
          hookTimeout: 180_000,
          // Real windows with clocks of their own: nothing of the other projects may run beside them.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
