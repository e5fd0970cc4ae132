import { OAuthError, ServerError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { ZodError } from 'zod'
import { said, type Said, type Values } from '../../../shared/domain/result'
import type { SayCode } from '../../../shared/words/codes'
import { AddressError } from './addressRules'
import { problemOf } from './ends'

/** A sign-in that came to its end, with the reason and what to do in words. */
export class SignInProblem extends Error {
  readonly fault: Said

  constructor(code: SayCode, values: Values = {}) {
    super(code)
    this.fault = said(code, values)
  }
}

/** Who was asked, and what must not be repeated in a sentence: an answer may hold what it was sent. */
export interface AskedWhom {
  readonly host: string
  readonly refused: 'mcp.oauth-not-registered' | 'mcp.oauth-refused'
  readonly secrets: readonly string[]
}

/** Runs one step of a sign-in; what the other side answers instead becomes a sentence. Bugs pass through. */
export async function stepOf<T>(whom: AskedWhom, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw problemFrom(error, whom) ?? error
  }
}

function problemFrom(error: unknown, { host, refused, secrets }: AskedWhom): SignInProblem | null {
  if (error instanceof SignInProblem) return error
  if (error instanceof AddressError) return fromAddress(error)
  if (error instanceof ServerError) {
    // What is no answer of OAuth comes as a whole page in the message, with whatever it repeats.
    const status = /^HTTP (\d+): /.exec(error.message)?.[1]
    if (status !== undefined) return new SignInProblem('mcp.oauth-trouble', { host, status: Number(status) })
  }
  if (error instanceof OAuthError) return new SignInProblem(refused, { host, error: plain(error.errorCode, secrets), problem: plain(error.message, secrets) })
  if (error instanceof SyntaxError || error instanceof ZodError) return new SignInProblem('mcp.oauth-bad-answer', { host })
  const status = error instanceof Error ? /^HTTP (\d+) trying to load/.exec(error.message)?.[1] : undefined
  if (status !== undefined) return new SignInProblem('mcp.oauth-trouble', { host, status: Number(status) })
  return error instanceof Error && error.message.startsWith('Incompatible auth server') ? new SignInProblem('mcp.oauth-bad-answer', { host }) : null
}

function fromAddress({ end }: AddressError): SignInProblem {
  if (end.advice === null) return new SignInProblem(end.say.code, end.say.values)
  return new SignInProblem('mcp.test-advice', { problem: end.say, advice: end.advice })
}

/** What somebody else wrote, in one short line without the secrets of this sign-in. */
export function plain(text: string, secrets: readonly string[]): string {
  const without = secrets.filter((secret) => secret !== '').reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
  return problemOf(without.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, ' '))
}
