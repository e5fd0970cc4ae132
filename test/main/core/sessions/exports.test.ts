import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportHtml } from '../../../../src/main/core/sessions/exportHtml'
import { exportItems, type ExportItem } from '../../../../src/main/core/sessions/exportItems'
import { exportMarkdown } from '../../../../src/main/core/sessions/exportMarkdown'
import type { ExportHead } from '../../../../src/main/core/sessions/exportText'
import type { AgentEvent, EventDraft } from '../../../../src/shared/domain/event'
import { asId } from '../../../../src/shared/domain/ids'
import { oneOfEach, opened, turnBegun } from '../../../support/drafts'

const head: ExportHead = { title: 'A <b>title</b>', project: 'p', messages: 2, atMs: 0, locale: 'en' }
const record = { lines: [{ entry: 3, atMs: 0, what: 'run_command <rm>', how: 'You allowed this call.', chain: 'a'.repeat(64) }], entries: 9, chain: 'b'.repeat(64), excerpt: [] }

function stored(drafts: readonly EventDraft[]): readonly AgentEvent[] {
  return drafts.map((draft, at): AgentEvent => ({ ...draft, v: 1, sessionId: asId('s'), seq: at + 1, atMs: at }))
}

async function html(items: Iterable<ExportItem>, bytes: (name: string) => string | null = () => null): Promise<string> {
  let text = ''
  for await (const part of exportHtml(head, items, record, ({ name }) => Promise.resolve(bytes(name)))) text += part
  return text
}

const markdown = (items: Iterable<ExportItem>): string => [...exportMarkdown(head, items)].join('')

const message = (text: string): EventDraft => ({ type: 'user-message-added', turnId: asId('t'), messageId: asId('m'), text })
const redact = (text: string): string => text.replaceAll('hunter2', '[redacted:password]')

describe('R96: a session as one file', () => {
  test('holds every kind of event that has words, each text masked', () => {
    const items = [...exportItems(stored([opened(asId('w')), ...Object.values(oneOfEach).slice(1)]), redact)]
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['user', 'agent', 'call', 'note']))
    const secret = stored([opened(asId('w')), message('my hunter2'), { ...oneOfEach['assistant-message-added'], text: 'hunter2', reasoning: 'hunter2?' }, { ...oneOfEach['tool-called'], argumentsText: '{"password":"hunter2"}' }, { ...oneOfEach['tool-finished'], text: 'hunter2', changed: [{ path: 'hunter2', before: null, after: null }] }])
    expect(JSON.stringify([...exportItems(secret, redact)])).not.toContain('hunter2')
  })

  test('what a rollback hides is there and marked; what is shown again is not', () => {
    const hide: EventDraft = { ...oneOfEach['rolled-back'], rollbackId: asId('r'), scope: 'conversation', hidden: { fromSeq: 2, toSeq: 3 } }
    const marks = (drafts: readonly EventDraft[]) => [...exportItems(stored(drafts), redact)].filter(({ kind }) => kind === 'user').map(({ isHidden }) => isHidden)
    expect(marks([opened(asId('w')), ...turnBegun('t'), hide])).toEqual([true])
    expect(marks([opened(asId('w')), ...turnBegun('t'), hide, { ...oneOfEach['rollback-undone'], undoneId: asId('r') }])).toEqual([false])
  })

  test('HTML: nothing of a text becomes markup, nothing is run, nothing is loaded', async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(fc.string(), fc.constantFrom('</pre><script>alert(1)</script>', '"><img src=https://x.example/a onerror=alert(1)>', "'onload='x", '<!--', ']]>', '&lt;')), async (text) => {
      const page = await html([...exportItems(stored([opened(asId('w')), message(text), { ...oneOfEach['assistant-message-added'], text, reasoning: text }, { ...oneOfEach['tool-called'], argumentsText: text }, { ...oneOfEach['tool-finished'], text }]), (one) => one)])
      const document = page.replace(/<style>.*?<\/style>/su, '')
      expect([...document.matchAll(/<([a-z]+)/gi)].map(([, name]) => name).filter((name) => !allowed.has(name ?? ''))).toEqual([])
      expect(document).not.toMatch(/<[^>]*\s(?:on\w+|src|href)\s*=(?!"data:image)/i)
    }))
  })

  test('HTML: the policy forbids scripts and loads, pictures stand in the file, and the lines of the record with their chain', async () => {
    const picture = (name: string, mimeType: string) => ({ kind: 'image' as const, name, mimeType, ref: 'r', sizeBytes: 5 })
    const items: ExportItem[] = [{ kind: 'user', atMs: 0, isHidden: false, text: 'see', names: [], pictures: [picture('a.png', 'image/png'), picture('b.svg', 'image/svg+xml'), picture('gone.png', 'image/png')] }]
    const page = await html(items, (name) => (name === 'gone.png' ? null : 'QUJD'))
    expect(page).toContain(`content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`)
    expect(page.match(/<img [^>]*>/g)).toEqual(['<img alt="a.png" src="data:image/png;base64,QUJD">'])
    expect([page.includes('b.svg'), page.includes('gone.png'), page.includes('run_command &lt;rm&gt;'), page.includes('a'.repeat(64)), page.includes('b'.repeat(64))]).toEqual([true, true, true, true, true])
  })

  test('Markdown: no text ends its own block, and the agent’s headings stand below the export’s', () => {
    const text = 'before\n````\n# not a heading\n```'
    const made = markdown([...exportItems(stored([opened(asId('w')), message(text), { ...oneOfEach['assistant-message-added'], text: '# Head\n```\n# code\n```', reasoning: '' }]), redact)])
    expect(made).toContain(`\`\`\`\`\`\n${text}\n\`\`\`\`\``)
    expect(made).toContain('### Head\n```\n# code\n```')
    expect(made.startsWith('# A \\<b\\>title\\</b\\>\n')).toBe(true)
  })
})

const allowed = new Set(['html', 'head', 'meta', 'title', 'style', 'body', 'main', 'h', 'p', 'article', 'div', 'pre', 'details', 'summary', 'section', 'table', 'thead', 'tr', 'th', 'tbody', 'td', 'span', 'code', 'ul', 'li', 'img'])
