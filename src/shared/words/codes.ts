import type { en } from './en'

/** Every code a sentence exists for; a code without both languages does not compile. */
export type SayCode = keyof typeof en
