export const retrieval = {
  'retrieval.no-folder': 'No folder is open, so there is nothing to search.',
} as const
