import { defaultLeaveOut } from '../../shared/domain/snapshotDefaults'
import { classifyPath } from '../core/policy/protectedPaths'
import { redact } from '../core/policy/redaction'
import type { Embedder } from '../core/ports/embedder'
import { chunkFile } from '../core/retrieval/chunk'
import { isProse, isUnreadByName, languageOf, languagesFor } from '../core/retrieval/languages'
import { linesOf } from '../core/retrieval/sourceLines'
import { isOutputFolder, outermostRules } from '../adapters/git/scan/defaultIgnores'
import { judge, parseRules, type RuleChain } from '../adapters/git/scan/ignoreRules'
import type { FolderRules } from '../adapters/index/scan'
import type { IndexTools } from '../adapters/index/tools'
import { compileGlob } from '../adapters/search/glob'
import { makeCodeTerms } from '../adapters/segment/codeTerms'
import { makeTreeSitter } from '../adapters/syntax/treeSitter'
import { toBytes } from '../native/byteText'
import { fenceOf } from '../native/safePath'
import path from 'node:path'

/** Where nothing is indexed, whatever the project is: logins of the person, data of the app. */
export interface IndexFence {
  readonly home: string
  readonly appData: string
}

/** What the index of code is made with. */
export function makeIndexTools(fence: IndexFence, embedder: Embedder): IndexTools {
  const syntax = makeTreeSitter()
  return {
    languageOf,
    languagesFor,
    isProse,
    isUnread: isUnreadByName,
    linesOf,
    async chunks(language, text) {
      await syntax.prepare(language)
      return chunkFile(language, text, syntax)
    },
    terms: makeCodeTerms(),
    glob: (pattern) => compileGlob(pattern),
    rules: rulesOf(outermostRules(defaultLeaveOut)),
    withheldIn(root) {
      const measured = fenceOf(root, fence.home, fence.appData)
      return (relative) => {
        const { isAppData, protected: protection, secret, isStartPlace } = classifyPath(path.join(root.path, relative), measured)
        // What other programs obey may be read all the same: the guards ask only before it is written.
        return isAppData || protection === 'git' || secret !== null || isStartPlace
      }
    },
    redact: (text) => redact(text),
    embedder,
  }
}

/** Git's own rules, which read the bytes of names. */
function rulesOf(chain: RuleChain): FolderRules {
  return {
    isIgnored(found, isFolder, isBeside) {
      const judged = judge(chain, toBytes(found), isFolder)
      return judged === 'ignored' || (judged === null && isFolder && isOutputFolder(found.slice(found.lastIndexOf('/') + 1), isBeside))
    },
    within: (folder, texts) => rulesOf({ rules: texts.flatMap((text) => parseRules(toBytes(text))), base: folder === '' ? '' : `${toBytes(folder)}/`, outer: chain }),
  }
}
