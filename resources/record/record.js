// The page of an exported record. It walks the chain itself, in the reader's browser, and shows only what the lines say.
'use strict'

const zeros = '0'.repeat(64)
const lineForm = /^(\{.*),"chain":"([0-9a-f]{64})"(?:,"mac":"([0-9a-f]{64})")?\}$/s

/** SHA-256 for browsers that have no SubtleCrypto for files (FIPS 180-4). */
function sha256(bytes) {
  const k = sha256.k ??= constants()
  const h = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
  const padded = new Uint8Array(((bytes.length + 8) >> 6 << 6) + 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000))
  view.setUint32(padded.length - 4, bytes.length << 3)
  const w = new Uint32Array(64)
  const turn = (x, n) => (x >>> n) | (x << (32 - n))
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(at + i * 4)
    for (let i = 16; i < 64; i += 1) {
      const [a, b] = [w[i - 15], w[i - 2]]
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))
    }
    let [a, b, c, d, e, f, g, last] = h
    for (let i = 0; i < 64; i += 1) {
      const one = (last + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[last, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    ;[a, b, c, d, e, f, g, last].forEach((value, i) => { h[i] = (h[i] + value) | 0 })
  }
  return h.map((value) => (value >>> 0).toString(16).padStart(8, '0')).join('')
}

/** The first 32 bits of the fractions of the cube roots of the first 64 primes. */
function constants() {
  const found = []
  for (let n = 2; found.length < 64; n += 1) {
    let isPrime = true
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) isPrime = false
    if (isPrime) found.push(fractionOfRoot(n))
  }
  return found
}

/** In whole numbers, so that no rounding of a browser matters: the cube root of n · 2^96, less its whole part. */
function fractionOfRoot(n) {
  const target = BigInt(n) << 96n
  let low = 0n
  let high = 1n << 36n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle * middle * middle <= target) low = middle
    else high = middle
  }
  return Number(low & 0xffffffffn)
}

async function digestOf(text) {
  const bytes = new TextEncoder().encode(text)
  const subtle = globalThis.crypto?.subtle
  if (!subtle) return sha256(bytes)
  return [...new Uint8Array(await subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A line in its parts, or null when it is none. */
function readLine(text) {
  const [, start, chain, mac] = lineForm.exec(text) ?? []
  if (start === undefined) return null
  try {
    const value = JSON.parse(start + '}')
    const { form = 1 } = value
    return Number.isInteger(value.entry) && typeof value.prev === 'string' && (form === 1 || form === 2) ? { value, form, body: start + '}', chain, mac: mac ?? null } : null
  } catch {
    return null
  }
}

/** The chain value of a line: of the one before it and the line's own text, since the second form of the hash of that. */
async function chainOf({ value, form, body }) {
  return digestOf(value.prev + (form === 2 ? await digestOf(body) : body))
}

const placeForm = /^\{"(excerpt|leftOut|excerptEnd)":(?:1,"after":)?(\d{1,15}),"(chain|digest)":"([0-9a-f]{64})"\}$/

/** A line that only an excerpt has: what stands before it, what binds an entry that is left out, where it ends. */
function readPlace(text) {
  const [, name, entry, by, value] = placeForm.exec(text) ?? []
  return name === undefined ? null : { kind: name === 'leftOut' && by === 'chain' ? 'stated' : name, entry: Number(entry), value }
}

/** Walks an excerpt as the app does: every entry of the stretch has its place, and the last value is the one it ends with. */
async function verifyPart(lines, onProgress) {
  const begin = readPlace(lines[0])
  let end = { entries: begin.entry, chain: begin.value }
  let isSecondForm = false
  let hasEnded = false
  let firstBroken = null
  const count = { entries: 0, leftOut: 0, stated: 0 }
  const step = async (text) => {
    const place = readPlace(text)
    if (hasEnded || place?.kind === 'excerpt') return null
    const entries = end.entries + 1
    if (place === null) {
      const line = readLine(text)
      if (line === null || line.value.entry !== entries || line.value.prev !== end.chain || (await chainOf(line)) !== line.chain) return null
      isSecondForm ||= line.form === 2
      return { entries, chain: line.chain }
    }
    if (place.kind === 'excerptEnd') {
      hasEnded = place.entry === end.entries && place.value === end.chain
      return hasEnded ? end : null
    }
    if (place.entry !== entries || (place.kind === 'stated' && isSecondForm)) return null
    count.leftOut += 1
    if (place.kind === 'stated') {
      count.stated += 1
      return { entries, chain: place.value }
    }
    isSecondForm = true
    return { entries, chain: await digestOf(end.chain + place.value) }
  }
  for (let at = 1; at < lines.length; at += 1) {
    if (readPlace(lines[at]) === null) count.entries += 1
    const next = firstBroken === null ? await step(lines[at]) : end
    if (next === null) firstBroken = end.entries + 1
    else end = next
    if (at % 512 === 0) onProgress(at)
  }
  if (firstBroken === null && !hasEnded) firstBroken = end.entries + 1
  return { ok: firstBroken === null, entries: count.entries, firstBroken, startsAt: begin.entry + 1, part: { from: begin.entry + 1, to: end.entries, leftOut: count.leftOut, stated: count.stated } }
}

/**
 * Walks the chain as the app does: from entry 1, or from where an entry says that older files were removed, to the end that was
 * there when this was exported.
 */
async function verify(lines, head, onProgress = () => {}) {
  if (lines.length > 0 && readPlace(lines[0])?.kind === 'excerpt') return verifyPart(lines, onProgress)
  let end = { entries: 0, chain: zeros }
  let start = null
  let isVouched = true
  let firstBroken = null
  for (let from = 0; from < lines.length; from += 512) {
    const read = lines.slice(from, from + 512).map(readLine)
    const digests = await Promise.all(read.map((line) => (line === null || firstBroken !== null ? null : chainOf(line))))
    for (let at = 0; at < read.length; at += 1) {
      const line = read[at]
      if (from + at === 0 && line !== null && line.value.entry > 1) {
        start = end = { entries: line.value.entry - 1, chain: line.value.prev }
        isVouched = false
      }
      if (!isVouched && line !== null && namesEnd(line.value, start)) isVouched = true
      if (firstBroken !== null) continue
      const isNext = line !== null && line.value.entry === end.entries + 1 && line.value.prev === end.chain && digests[at] === line.chain
      if (!isNext || (head !== null && head.entries === line.value.entry && head.chain !== line.chain)) firstBroken = end.entries + 1
      else end = { entries: line.value.entry, chain: line.chain }
    }
    onProgress(Math.min(lines.length, from + 512))
  }
  if (!isVouched) firstBroken = 1
  else if (firstBroken === null && head !== null && head.entries > end.entries) firstBroken = end.entries + 1
  return { ok: firstBroken === null, entries: lines.length, firstBroken, startsAt: start === null ? 1 : start.entries + 1 }
}

/** Whether an entry says that older files were removed up to this end. */
function namesEnd({ fact, args }, end) {
  return fact === 'log-pruned' && Array.isArray(args?.ends) && args.ends.some((one) => one?.entries === end.entries && one?.chain === end.chain)
}

const callFacts = new Set(['asked', 'decided', 'started', 'trial-begun', 'tried', 'trial-kept', 'trial-discarded', 'finished'])
const isOfCall = (entry) => typeof entry.callId === 'string' && callFacts.has(entry.fact)
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const argsOf = (entry) => (isObject(entry.args) ? entry.args : {})
const said = (code, values = {}) => ({ code, values })

/** Entries as rows, newest first: those of a call are one. */
function rowsOf(lines) {
  const rows = []
  const calls = new Map()
  let number = 0
  for (const text of lines) {
    if (readPlace(text) !== null) continue
    const line = readLine(text)
    const entry = line === null || typeof line.value.fact !== 'string' ? null : { ...line.value, chain: line.chain, mac: line.mac }
    number = Math.max(number + 1, entry?.entry ?? 0)
    const known = entry !== null && isOfCall(entry) ? calls.get(entry.callId) : undefined
    const row = known ?? { entries: [], number, text }
    if (entry) row.entries.push(entry)
    row.number = number
    if (known === undefined) rows.push(row)
    if (entry !== null && isOfCall(entry)) calls.set(entry.callId, row)
  }
  return rows.sort((a, b) => b.number - a.number).map((row) => ({ ...row, ...factsOf(row.entries) }))
}

function factsOf(entries) {
  const first = entries[0]
  const last = entries.at(-1)
  if (!first) return { what: 'other', on: '', by: { actor: 'app', ruleId: null, decision: 'none' }, outcome: said('audit.unreadable'), tone: 'bad', atMs: 0 }
  const by = byOf(entries, last)
  return { what: whatOf(entries.find((one) => one.effect !== undefined) ?? first), on: onOf(entries), by, atMs: last.atMs, ...outcomeOf(last, by) }
}

function whatOf(entry) {
  if (entry.fact === 'rolled-back') return 'rollback'
  if (!isOfCall(entry)) return entry.fact === 'server-pinned' || entry.fact === 'server-changed' ? 'mcp' : 'other'
  if (String(entry.tool ?? '').startsWith('mcp__')) return 'mcp'
  const named = { execute: 'command', write: 'edit', network: 'web', read: 'read' }[entry.effect]
  const args = argsOf(entry)
  return named ?? ('command' in args ? 'command' : 'url' in args ? 'web' : 'content' in args || 'edits' in args || 'to' in args ? 'edit' : 'path' in args ? 'read' : 'other')
}

const objectKeys = ['command', 'path', 'from', 'url', 'pattern', 'query', 'question', 'text', 'name', 'server', 'to', 'folder']

function onOf(entries) {
  const entry = entries.find((one) => one.args !== undefined) ?? entries[0]
  const args = argsOf(entry)
  const found = entry.fact === 'rolled-back' ? undefined : objectKeys.map((key) => args[key]).find((value) => typeof value === 'string' && value !== '')
  const to = typeof args.from === 'string' && typeof args.to === 'string' ? ` → ${args.to}` : ''
  const isServer = entry.fact.startsWith('server-') || String(entry.tool ?? '').startsWith('mcp__')
  const changed = Array.isArray(entry.changed) ? entry.changed.map((one) => one?.path).join(', ') : ''
  const text = isServer ? entry.tool ?? '' : typeof found === 'string' ? found + to : isOfCall(entry) ? entry.tool ?? '' : changed
  return String(text).slice(0, 300).replace(/\s+/gu, ' ').trim()
}

function byOf(entries, last) {
  if (!isOfCall(last)) return { actor: last.actor, ruleId: last.ruleId ?? null, decision: last.actor === 'person' ? 'allowed' : 'none' }
  const decided = entries.filter((one) => one.fact === 'decided').at(-1)
  if (decided) return { actor: decided.actor, ruleId: decided.ruleId ?? null, decision: { deny: 'denied', skip: 'skipped' }[decided.outcome] ?? 'allowed' }
  return { actor: last.actor, ruleId: null, decision: entries.some((one) => one.fact === 'asked') && last.fact !== 'finished' ? 'waiting' : 'none' }
}

const outcomeWords = new Set(['all', 'writes', 'commands', 'read-only', 'applied', 'partly', 'undone', 'applying', 'added', 'renamed', 'changed', 'removed', 'switched-off', 'switched-on', 'tool-on', 'tool-off', 'effect', 'start-accepted', 'tool-accepted'])
const wordFacts = new Set(['level-changed', 'rolled-back', 'server-changed'])

function factOf({ fact, outcome = '' }) {
  return said(`audit.fact.${fact}`, { outcome: wordFacts.has(fact) && outcomeWords.has(outcome) ? said(`audit.word.${outcome}`) : outcome })
}

function outcomeOf(last, by) {
  const refused = by.actor === 'policy' ? { outcome: said('audit.denied-policy'), tone: 'bad' } : { outcome: said('audit.not-run'), tone: 'plain' }
  if (!isOfCall(last)) return { outcome: factOf(last), tone: last.fact === 'torn-line-dropped' ? 'warn' : 'plain' }
  if (last.fact !== 'finished') {
    if (by.decision === 'denied') return refused
    if (by.decision === 'skipped') return { outcome: said('audit.skipped'), tone: 'plain' }
    if (by.decision === 'waiting') return { outcome: said('audit.waiting'), tone: 'warn' }
    return { outcome: said(last.fact === 'decided' ? 'audit.not-started' : 'audit.no-end'), tone: 'warn' }
  }
  const files = Array.isArray(last.changed) ? last.changed.length : 0
  switch (last.outcome) {
    case 'ok': return { outcome: doneWith(last.exitCode ?? null, files), tone: last.exitCode ? 'bad' : 'ok' }
    case 'failed': return { outcome: last.exitCode == null ? said('audit.failed') : doneWith(last.exitCode, files), tone: 'bad' }
    case 'denied': return refused
    case 'skipped': return { outcome: said('audit.skipped'), tone: 'plain' }
    case 'cancelled': return { outcome: said('audit.cancelled'), tone: 'warn' }
    default: return { outcome: said('audit.unknown'), tone: 'warn' }
  }
}

function doneWith(exitCode, files) {
  const [first = said('audit.done'), second] = [...(exitCode === null ? [] : [said('audit.exit', { code: exitCode })]), ...(files === 0 ? [] : [said('audit.files', { count: files })])]
  return second ? said('audit.both', { first, second }) : first
}

/** A sentence in one language; the same form as in the app. */
function speaker(words, locale) {
  const say = ({ code, values = {} }) =>
    String(words[locale]?.[code] ?? code).replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (whole, name, one, many) => {
      const value = values[name]
      if (value === undefined) return whole
      if (one !== undefined) return value === 1 ? one : many
      return isObject(value) ? say(value) : typeof value === 'number' ? value.toLocaleString(locale) : String(value)
    })
  return say
}

const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u

/** An element with text or children; nothing is ever read as HTML. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (value !== null) element.setAttribute(name, value)
  }
  element.append(...children)
  return element
}

/** Text from outside with its hidden characters as boxes. */
function exact(text) {
  const parts = []
  for (const character of String(text)) {
    if (hidden.test(character)) parts.push(make('span', { class: 'hid' }, `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`))
    else if (typeof parts.at(-1) === 'string') parts[parts.length - 1] += character
    else parts.push(character)
  }
  return make('bdi', {}, ...parts)
}

/** Reads the blocks of lines out of the page. */
function linesIn(page) {
  return [...page.querySelectorAll('script.log')].flatMap((block) => block.textContent.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)))
}

function start() {
  const facts = JSON.parse(document.getElementById('facts').textContent)
  const lines = linesIn(document)
  const state = { locale: facts.words[facts.locale] ? facts.locale : 'en', rows: rowsOf(lines), check: null, walked: 0, query: '', what: 'all', by: 'all', shown: 200, open: null }
  const draw = () => drawPage(state, facts, draw)
  draw()
  // The page is drawn first: a long record takes a while to walk.
  setTimeout(() => void verify(lines, facts.head, (walked) => { state.walked = walked; drawState(state, facts) }).then((check) => { state.check = check; draw() }), 0)
}

function stateWords(state, say) {
  if (state.check === null) return { tone: 'dim', text: say(said('audit.page.walking', { count: state.walked })) }
  if (!state.check.ok) return { tone: 'bad', text: say(said('audit.page.broken', { entry: state.check.firstBroken })) }
  if (state.check.part) return { tone: 'ok', text: partWords(state.check, say) }
  const whole = say(said('audit.chain-intact', { entries: state.check.entries }))
  return { tone: 'ok', text: state.check.startsAt > 1 ? `${whole} ${say(said('audit.starts-at', { entry: state.check.startsAt }))}` : whole }
}

/** The third answer: it vouches for itself alone. */
function partWords({ entries, part }, say) {
  if (part.to < part.from) return say(said('audit.page.part-empty'))
  const words = say(said('audit.page.part', { from: String(part.from), to: String(part.to), entries, left: part.leftOut }))
  return part.stated > 0 ? `${words} ${say(said('audit.page.stated', { count: part.stated }))}` : words
}

function drawState(state, facts) {
  const { tone, text } = stateWords(state, speaker(facts.words, state.locale))
  document.getElementById('state').className = `state ${tone}`
  document.getElementById('state').textContent = text
}

function isFound(row, { query, what, by }) {
  if ((what !== 'all' && row.what !== what) || (by !== 'all' && row.by.actor !== by)) return false
  if (query === '') return true
  row.searched ??= JSON.stringify(row.entries).toLowerCase()
  return row.searched.includes(JSON.stringify(query).slice(1, -1).toLowerCase())
}

function drawPage(state, facts, draw) {
  const say = speaker(facts.words, state.locale)
  const word = (code) => say(said(code))
  document.documentElement.lang = state.locale
  document.title = word('audit.page.title')
  const focused = document.activeElement?.id
  const choice = (id, label, values, names) => make('select', { id, 'aria-label': label, onchange: (event) => { state[id] = event.target.value; draw() } }, ...values.map((value) => make('option', state[id] === value ? { value, selected: '' } : { value }, names(value))))
  const found = state.rows.filter((row) => isFound(row, state))
  const bar = make('div', { class: 'bar' },
    make('input', { id: 'query', class: 'grow', type: 'search', value: state.query, 'aria-label': word('audit.search'), placeholder: word('audit.search'), oninput: (event) => { state.query = event.target.value; state.shown = 200; if (!event.isComposing) draw() } }),
    choice('what', word('audit.kind'), ['all', 'command', 'edit', 'read', 'web', 'mcp', 'rollback', 'other'], (value) => word(`audit.what.${value}`)),
    choice('by', word('audit.decided-by'), ['all', 'person', 'rule', 'grant', 'policy', 'level'], (value) => word(`audit.by.${value}`)),
    make('button', { id: 'language', onclick: () => { state.locale = state.locale === 'en' ? 'zh-CN' : 'en'; draw() } }, state.locale === 'en' ? '简体中文' : 'English'))
  const table = make('table', { 'aria-label': word('audit.table') }, make('thead', {}, make('tr', {}, ...['#', word('audit.time'), word('audit.kind'), word('audit.on'), word('audit.decided-by'), word('audit.outcome')].map((name) => make('th', { scope: 'col' }, name)))))
  const body = make('tbody', {})
  for (const row of found.slice(0, state.shown)) body.append(...drawRow(row, state, say, draw))
  table.append(body)
  const more = found.length > state.shown ? [make('p', {}, make('button', { onclick: () => { state.shown += 500; draw() } }, word('audit.page.more')))] : []
  document.getElementById('page').replaceChildren(
    make('h1', {}, word('audit.page.title')),
    make('p', { class: 'dim' }, say(said('audit.page.about', { time: timeText(facts.atMs) }))),
    make('p', { id: 'state', role: 'status' }), make('p', { class: 'dim' }, word('audit.page.limits')), bar, table, ...more)
  drawState(state, facts)
  const again = focused ? document.getElementById(focused) : null
  again?.focus()
  if (again?.id === 'query') again.setSelectionRange(state.query.length, state.query.length)
}

function drawRow(row, state, say, draw) {
  const firstBroken = state.check?.firstBroken ?? null
  const mark = firstBroken === null || row.number < firstBroken ? '' : row.number === firstBroken ? ' first' : ' after'
  const isOpen = state.open === row.number
  const toggle = () => { state.open = isOpen ? null : row.number; draw() }
  const line = make('tr', { class: `row${mark}`, 'aria-expanded': String(isOpen), onclick: toggle },
    make('td', { class: 'num' }, make('button', { id: `row-${row.number}`, 'aria-expanded': String(isOpen) }, String(row.number))), make('td', { class: 'mono' }, timeText(row.atMs)), make('td', {}, say(said(`audit.what.${row.what}`))),
    make('td', { class: 'on' }, exact(row.on)), make('td', {}, byWords(row, say)), make('td', { class: row.tone }, exact(say(row.outcome))))
  if (!isOpen) return [line]
  const box = make('div', { class: 'box' })
  for (const entry of row.entries) box.append(make('p', {}, `${entry.entry} · ${timeText(entry.atMs)} · ${say(factOf(entry))} · ${say(said(`audit.who.${entry.actor}`, { rule: entry.ruleId ?? '' }))}`), make('pre', {}, exact(JSON.stringify(entry, null, 2))))
  if (row.entries.length === 0) box.append(make('pre', {}, exact(row.text)))
  return [line, make('tr', {}, make('td', { colspan: '6' }, box))]
}

/** 2026-11-30 15:44:52, of where it is read: the same in every language, and sorted as it is written. */
function timeText(atMs) {
  const two = (value) => String(value).padStart(2, '0')
  const at = new Date(atMs)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

function byWords(row, say) {
  const { actor, decision, ruleId } = row.by
  if (decision === 'waiting') return say(said('audit.waiting'))
  if (decision === 'denied') return say(said(actor === 'policy' ? 'audit.seal.policy' : 'audit.seal.denied'))
  if (decision === 'skipped') return say(said('audit.seal.skipped'))
  if (decision === 'allowed' && actor === 'person') return say(said('audit.seal.signed'))
  if (actor === 'rule' && /^\d+$/.test(String(ruleId))) return say(said('audit.who.rule', { rule: ruleId }))
  return say(said(`audit.by.${actor}`))
}

if (typeof document !== 'undefined' && document.getElementById('facts')) start()
