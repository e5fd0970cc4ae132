import { expect, test } from 'vitest'
import { redactDraft } from '../../../../src/main/adapters/audit/redactDraft'
import { redact } from '../../../../src/main/core/policy/redaction'
import type { AuditDraft } from '../../../../src/shared/domain/audit'

const secret = 'zX81kQp0Lw'
const redactor = { redact: (text: string) => redact(text), hash: () => 'hash' }
const masked = (args: unknown): unknown => redactDraft({ args } as AuditDraft, redactor).args

test.each<readonly [string, unknown, unknown]>([
  ['by their names', { password: secret, env: { DB_PASSWORD: 'hunter2', LANG: 'C' } }, { password: '[redacted:password]', env: { DB_PASSWORD: '[redacted:password]', LANG: 'C' } }],
  ['by the name beside a value', { env: [{ name: 'API_TOKEN', value: secret }, { key: 'LANG', value: 'C.UTF-8' }] }, { env: [{ name: 'API_TOKEN', value: '[redacted:token]' }, { key: 'LANG', value: 'C.UTF-8' }] }],
  ['by the option before them', { args: ['run', '--password', secret, '--port', '8080', '--api-key', secret] }, { args: ['run', '--password', '[redacted:password]', '--port', '8080', '--api-key', '[redacted:key]'] }],
  ['inside a text', { command: `PGPASSWORD=${secret} psql` }, { command: 'PGPASSWORD=[redacted:password] psql' }],
  ['letters alone behind the name of a password', { password: 'correcthorsebattery', token: 5, path: 'src/token.ts' }, { password: '[redacted:password]', token: 5, path: 'src/token.ts' }],
])('R68: arguments of an entry are masked %s', (_, args, result) => {
  expect(masked(args)).toEqual(result)
})
