export const retrieval = {
  'retrieval.no-folder': 'No folder is open, so there is nothing to search.',
  'retrieval.off': 'The search index of this project is switched off. Switch it on in Settings, or use search_text.',
  'retrieval.partial': 'The index is still being built: places that are missing here may exist. search_text searches all files.',
  'retrieval.nothing': 'Nothing in the index answers this. Say so, or try other words, search_text or find_files.',
  'retrieval.found': '{count} {count:place|places} in {files} {files:file|files}.',
  'retrieval.no-language': '{language} is no language of the index. Give a name or a file ending, as typescript, py or markdown, or leave it out.',
  'retrieval.no-vectors': 'Searched by words only; the embedding endpoint did not answer: {problem}',
  'retrieval.not-rewritten': 'Searched with the question as it is; the rewriting model did not help: {problem}',
  'retrieval.not-reranked': 'In the order of the search; the reranker did not answer: {problem}',
  'retrieval.below-threshold': 'The reranker rates every place found below {threshold}.',
  'retrieval.no-answer': 'the answer could not be read',
  'retrieval.thread-stopped': 'The thread that searches in memory and in the project has stopped: {problem}. Nothing stored is lost. Start the app again.',
} as const
