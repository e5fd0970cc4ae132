/**
 * What is never held unless the project's own ignore files take it back with `!`: folders that tools fill and can fill again.
 * Only names that mean nothing else; what may also be somebody's own work (`build`, `dist`, `target`) counts as output only
 * beside the file of the tool that makes it.
 */
export const defaultLeaveOut: readonly string[] = [
  'node_modules/',
  'bower_components/',
  '.pnpm-store/',
  '.yarn/cache/',
  '.yarn/unplugged/',
  '.npm/',
  '__pycache__/',
  '*.pyc',
  '.venv/',
  '.tox/',
  '.nox/',
  '.mypy_cache/',
  '.pytest_cache/',
  '.ruff_cache/',
  '.ipynb_checkpoints/',
  '.gradle/',
  '.terraform/',
  '.next/',
  '.nuxt/',
  '.svelte-kit/',
  '.angular/cache/',
  '.turbo/',
  '.parcel-cache/',
  '.sass-cache/',
  '.eslintcache',
  '.nyc_output/',
  '.cache/',
  '.DS_Store',
  'Thumbs.db',
]
