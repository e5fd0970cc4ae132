import type { CodeAnswer, CodeQuery } from '../../../shared/domain/retrieval'
import type { Result } from '../../../shared/domain/result'
import type { CancelSignal } from './cancelSignal'

/** Hybrid search over the opened project (R99), as `search_code` uses it. */
export interface CodeSearch {
  search(query: CodeQuery, signal: CancelSignal): Promise<Result<CodeAnswer>>
}
