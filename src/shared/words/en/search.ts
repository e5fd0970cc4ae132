export const search = {
  'search.hits': '{count} {count:line matches|lines match} in {files} {files:file|files}.',
  'search.hits-cut': 'The first {count} matching {count:line is|lines are} shown; there are more. Narrow the pattern, the path or the glob.',
  'search.no-hits': 'Nothing matches. Ignored files and files that may hold secrets were not searched.',
  'search.files': '{count} {count:file|files} found.',
  'search.files-cut': 'The first {count} {count:file is|files are} shown; there are more. Narrow the glob or the path.',
  'search.no-files': 'No file matches. Ignored files are not listed.',
  'search.bad-pattern': 'The pattern {pattern} is not a valid regular expression: {problem}. Correct it, or set literal to true to search for the text as it stands.',
  'search.bad-glob': 'The glob {glob} is not valid: {problem}.',
  'search.failed': 'The search failed: {problem}',
  'search.cancelled': 'The search was stopped.',
} as const
