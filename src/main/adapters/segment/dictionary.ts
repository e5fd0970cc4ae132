import type { Jieba } from '@node-rs/jieba'
import { createRequire } from 'node:module'

let loaded: Jieba | null = null

/** The one dictionary of the thread. Library and words are loaded with the first Chinese text: together they take longer than everything else at the start of the thread. */
export function dictionary(): Jieba {
  return (loaded ??= load())
}

function load(): Jieba {
  const load = createRequire(import.meta.url)
  const { Jieba } = load('@node-rs/jieba') as typeof import('@node-rs/jieba')
  const { dict } = load('@node-rs/jieba/dict.js') as typeof import('@node-rs/jieba/dict.js')
  return Jieba.withDict(dict)
}
