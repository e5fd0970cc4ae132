import js from '@eslint/js'
import hooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const noDefaultExport = { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }
const noStarExport = { selector: 'ExportAllDeclaration', message: 'Name what is exported.' }
const noIpc = { selector: "MemberExpression[property.name=/^(ipcMain|ipcRenderer)$/], Identifier[name=/^(ipcMain|ipcRenderer)$/]", message: 'IPC lives in preload and main/ipc.' }
const noSend = { selector: "CallExpression[callee.object.property.name='webContents'][callee.property.name='send']", message: 'Pushes go through main/ipc.' }
const noClock = { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now'], NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.object.name='Math'][callee.property.name='random'], CallExpression[callee.object.name='crypto'][callee.property.name='randomUUID']", message: 'Core has no clock and no chance: use the ports.' }

export default tseslint.config(
  { ignores: ['out', 'dist', 'coverage', 'node_modules', 'resources', 'test/cases', 'test/fixtures', 'test/artefacts', '**/*.mjs', '**/*.cjs'] },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-control-regex': 'off', // hidden characters are this product's business
      'no-restricted-syntax': ['error', noDefaultExport, noStarExport, noIpc, noSend],
    },
  },
  { files: ['src/main/ipc/**', 'src/preload/**'], rules: { 'no-restricted-syntax': ['error', noDefaultExport, noStarExport] } },
  { files: ['src/main/core/**'], rules: { 'no-restricted-syntax': ['error', noDefaultExport, noStarExport, noIpc, noSend, noClock] } },
  { files: ['src/renderer/**'], ...hooks.configs.flat.recommended },
  { files: ['test/**'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off', '@typescript-eslint/no-unsafe-member-access': 'off' } },
  { files: ['*.config.ts', '*.config.js', 'test/**/vite.config.ts', 'test/support/globalSetup.ts'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['*.config.js'], ...tseslint.configs.disableTypeChecked },
)
