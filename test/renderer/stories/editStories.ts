import { review, setMarks, useApprovals } from '../../../src/renderer/features/approvals/approvalStore'
import { changesIn, composed, keepPart, partsOfEdit, typed, type EditMarks, type EditPreview } from '../../../src/renderer/features/approvals/editChanges'
import { differenceOf, flatOf } from '../../../src/shared/domain/changedText'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import { said } from '../../../src/shared/domain/result'
import * as world from './world'

const edit = (path: string, before: string | null, after: string | null, more: Partial<EditPreview> = {}): EditPreview => ({ kind: 'edit', path, before, after, notes: [], ...more })
const many = (name: string, count: number): string => Array.from({ length: count }, (_, at) => `export const ${name}${at} = ${at}\n`).join('')
const spread = (name: string): string => Array.from({ length: 160 }, (_, at) => `${many(`${name}${at}_`, 9)}export const stays${at} = ${at}\n`).join('')
const tall = (attempts: number, note: string): string => `${many('first', 40)}export const attempts = ${attempts}\n// ${note}\n${many('second', 40)}export const wait = ${attempts * 10}\n${many('third', 30)}`
const minified = (host: string): string => `/*! bundle */\n!function(e,t){${'a(e,t);'.repeat(1200)}var r="${host}";${'b(r,t);'.repeat(900)}}(this,1)\n`
const crlf = 'name = "harbor"\r\nretries = 10\r\nwait = 50\r\n'

const plain = { reason: said('guard.nothing-against') } as const
const asks = (preview: EditPreview) => world.request(preview, plain)

/** What waits in each story of an edit's review. */
export const editAsked: Readonly<Record<string, readonly ApprovalRequest[]>> = {
  'review-own': [world.request(world.editPreview, plain)],
  'review-rejected': [world.request(world.editPreview, plain)],
  'review-outside': [world.request(world.editPreview, { remembered: null, reason: said('guard.nothing-against'), taint: [{ source: { kind: 'web', host: 'docs.example.org', url: 'https://docs.example.org/retry' }, shared: null }] })],
  'review-stale': [world.request(world.editPreview, { ...plain, nonce: 'stale' })],
  'review-large': [asks(edit('src/generated/tables.ts', spread('old'), spread('now')))],
  'review-long': [asks(edit('public/bundle.min.js', minified('http://old.example.org'), minified('https://cdn.example.org')))],
  'review-tall': [asks(edit('src/tables.ts', tall(10, 'Ten times.'), tall(3, 'Three times, since a fourth attempt has never helped anybody in the year that we have looked at it: what fails three times in a row is down, and every further call only makes the wait longer for the person who sits before the screen.')))],
  'review-ends': [asks(edit('settings.toml', crlf, 'name = "harbor"\nretries = 3\nwait = 50', { notes: [said('file.was-unknown-encoding')] }))],
  'review-binary': [world.request({ kind: 'binary', path: 'docs/map.png', beforeBytes: 48_213, afterBytes: null, notes: [] }, { tool: 'delete_path', baseHashes: { 'docs/map.png': 'a3f1'.repeat(16) } })],
}

/** Brings a review to the state of its story. */
export function playEdit(story: string): void {
  const [request] = useApprovals.getState().open
  if (request?.preview.kind !== 'edit') return
  const parts = partsOfEdit(request.preview)
  const put = (marks: EditMarks): void => setMarks(request.nonce, marks, composed(parts, marks))
  const changes = changesIn(parts, {})
  if (story === 'review-own') {
    const last = changes.at(-1)
    const rejected = last ? keepPart({}, last.at, false) : {}
    const now = flatOf(composed(parts, rejected))
    const value = now.replace('attempts: 3', 'attempts: settings.http.attempts')
    put(typed(parts, rejected, [differenceOf(now, value)], value))
  }
  if (story === 'review-rejected') put(changes.reduce<EditMarks>((marks, change) => keepPart(marks, change.at, false), {}))
  review(request.callId)
}
