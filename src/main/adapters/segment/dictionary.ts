import { Jieba } from '@node-rs/jieba'
import { dict } from '@node-rs/jieba/dict.js'

let loaded: Jieba | null = null

/** The one dictionary of the thread, loaded with the first Chinese text. */
export function dictionary(): Jieba {
  return (loaded ??= Jieba.withDict(dict))
}
