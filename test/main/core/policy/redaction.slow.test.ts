import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redact } from '../../../../src/main/core/policy/redaction'
import { redactLong, StreamRedactor } from '../../../../src/main/core/policy/redactionStream'
import { cases, casesOf, cut, filled, letters, outputOf, put, streamed } from '../../../support/redactionCases'

describe('R68: the case file of redaction', () => {
  test.each(cases.map((each) => [each.id, each.class, each] as const))('%s (%s)', (_id, _class, each) => {
    const output = outputOf(each)
    expect({ left: each.must_not.filter((text) => output.includes(filled(text, each.vars))), lost: each.must.filter((text) => !output.includes(filled(text, each.vars))) }).toEqual({ left: [], lost: [] })
    if (each.class === 'benign') expect(output).toBe(each.input)
  })
})

describe('R68: cases that were thought of later', () => {
  const more = casesOf('more-redaction.jsonl')
  test.each([...new Set(more.map((each) => each.class))])('%s', (kind) => {
    const missed = more.filter((each) => each.class === kind).flatMap((each) => {
      const output = outputOf(each)
      const left = each.must_not.filter((text) => output.includes(filled(text, each.vars)))
      const lost = each.must.filter((text) => !output.includes(filled(text, each.vars)))
      const isChanged = kind === 'benign' && output !== (each.chunks?.join('') ?? each.input)
      return left.length + lost.length > 0 || isChanged ? [{ id: each.id, reason: each.reason, output, left, lost }] : []
    })
    expect(missed).toEqual([])
  })
})

describe('R68: secrets by their form', () => {
  test.each([
    ['github', put('gho', '_', letters, letters)], ['gitlab', put('glpat', '-', letters.slice(0, 20))], ['google', put('AIza', 'SyA', letters, letters.slice(0, 8))], ['openai', put('sk', '-proj-', letters, letters)],
    ['openai', put('sk', '-', '0123456789abcdef0123456789abcdef')], ['anthropic', put('sk', '-ant-api03-', letters, letters)], ['slack', put('xoxb', '-123456789012-', letters)], ['stripe', put('rk', '_live_', letters)], ['stripe', put('whsec', '_', letters)],
    ['telegram', put('123456789', ':AA', letters, letters.slice(0, 9))], ['digitalocean', put('dop', '_v1_', '0123456789abcdef'.repeat(4))], ['docker', put('dckr', '_pat_', letters)], ['vault', put('hvs', '.', letters)], ['aws', put('ASIA', 'Q7ZR2MXK5LQ7ZR2M')],
    ['sentry', put('sntrys', '_', letters, letters)], ['groq', put('gsk', '_', letters, letters)], ['discord-webhook', put('discord', '.com/api/webhooks/123456789012345678/', letters, letters)], ['alibaba', put('LTAI', letters.slice(0, 16))],
  ])('%s', (kind, secret) => {
    expect(redact(`a ${secret} b`)).toBe(`a [redacted:${kind}] b`)
  })
})

describe('R68: secrets by their place', () => {
  const secret = 'zX81kQp0Lw'
  test.each([
    `PGPASSWORD=${secret} psql`, `password: ${secret}`, `password = "${secret}"`, `'api_key' => '${secret}'`, `"apiKey": "${secret}"`, `apiKey: '${secret}',`, `SECRET_KEY_BASE=${secret}`, `spring.datasource.password=${secret}`, `--password ${secret}`, `--password=${secret}`, `--api-key "${secret}"`, `-password ${secret}`,
    `<password>${secret}</password>`, `Server=db;User Id=sa;Password=${secret};Encrypt=true`, `AccountName=a;AccountKey=${secret}==;Suffix=x`, `密码：${secret}`, `数据库密码是 ${secret}`, `访问令牌: ${secret}`, `口令为"${secret}"`, `sshpass -p ${secret} ssh a`, `redis-cli -a ${secret} ping`, `docker login -u bob -p ${secret} x`,
    `openssl enc -pass pass:${secret} -in a`, `curl --user bob:${secret} x`, `X-Api-Key: ${secret}`, `PRIVATE-TOKEN: ${secret}`, `x-goog-api-key=${secret}`, `Authorization: token ${secret}`, `authorization: ${secret}abc`, `Cookie: session=${secret}; theme=dark`, `Set-Cookie: sid=${secret}; Path=/; HttpOnly`,
    `https://h/x?token=${secret}&y=1`, `https://h/#access_token=${secret}`, `mongodb+srv://app:${secret}@cluster.example.net/db`, `amqp://u:${secret}@h`, `https://x-access-token:${secret}@example.net/a.git`, `{\\"password\\":\\"${secret}\\"}`, `machine h login bob password=${secret}`, `export DB_PASS_TOKEN=${secret}`, `client-secret=${secret}`, `set TOKEN=${secret}`,
  ])('%s', (text) => {
    const output = redact(text)
    expect({ output, isHidden: !output.includes(secret) && output.includes('[redacted:') }).toEqual({ output, isHidden: true })
  })

  test('only the secret goes: names, hosts and what stands beside stay', () => {
    expect([
      redact('Set-Cookie: sid=zX81kQp0Lw; Path=/; HttpOnly'),
      redact('Server=db;Password=zX81kQp0Lw;Encrypt=true'),
      redact('postgres://app:p@ssw0rd@db:5432/app'),
      redact('GET /a?token=zX81kQp0Lw&page=2'),
      redact('{"password":"zX81kQp0Lw","n":1}'),
    ]).toEqual([
      'Set-Cookie: sid=[redacted:cookie]; Path=/; HttpOnly',
      'Server=db;Password=[redacted:password];Encrypt=true',
      'postgres://app:[redacted:url-password]@db:5432/app',
      'GET /a?token=[redacted:url-secret]&page=2',
      '{"password":"[redacted:password]","n":1}',
    ])
  })
})

describe('R68: what only looks like a secret stays', () => {
  test.each([
    'const token = getToken()', 'const password = process.env.PASSWORD', 'password: string', 'token?: string', 'let token: string | null = null', 'password = input("Password: ")', 'PASSWORD=$DB_PASSWORD', 'PASSWORD=${DB_PASSWORD:-}', 'token: ${{ secrets.GITHUB_TOKEN }}', 'password=<your password>', 'password: "Enter your password"',
    '"password": "Password"', 'Password:', 'password: required', 'password = None', 'if (token === undefined) return', 'token.length > 3', 'password.length < 8', 'SELECT password FROM users WHERE password = ?', 'api_key=YOUR_API_KEY', 'API_KEY=your-api-key-here', 'apiKey: config.apiKey,', 'secret = os.environ["SECRET"]', 'token = tokens[0]', 'tokenizer: bert-base', 'max_tokens: 4096', 'next_page_token=abc123',
    'PWD=/home/ann/app1', 'OLDPWD=/home/ann2', 'key: value1', '"key": "a1b2c3"', 'sort-key: a1', 'primary_key=id1', 'public_key = ssh-ed25519 AAAAC3Nza', 'git push -u origin main', 'docker run -p 3000:3000 x', 'mkdir -p a/b1', 'ssh -p 2222 host', 'cp -a a b', 'tar -u x:y1', 'chown -R 1000:1000 .', 'rsync -e "ssh -p 22" a b:c',
    'https://example.net/a?key=name&id=7', 'https://user@example.net/x', 'http://localhost:3000/@types/x', 'ssh://git@example.net:22/x', 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB', 'sha256:3f786850e387550fdab836ed7e6dc881de23001b3f786850e387550fdab836ed', '密码必须包含数字和字母', '请输入密码：', '忘记密码？', 'Authorization header is missing', 'Authorization: required', 'basic usage of the token', 'Cookie: theme=dark', '<input name="token" value="">',
    'import { token } from "./token1"', 'class="sk-spinner-double-bounce"', 'eyJhbGciOiJIUzI1NiJ9', '[redacted:password]', 'password=[redacted:password]', 'secret santa 2026', 'the token 12345 expired', 'AKIA is a prefix', '-----BEGIN CERTIFICATE-----\nMIIB1\n-----END CERTIFICATE-----',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('R68: registered secrets', () => {
  const secret = 'p4ss "w0rd"/é+1'
  test.each([
    ['as it is', secret], ['in JSON', JSON.stringify(secret)], ['percent-encoded', encodeURIComponent(secret)], ['percent-encoded in small letters', encodeURIComponent(secret).toLowerCase()], ['in base64', Buffer.from(secret).toString('base64')], ['in base64 for addresses', Buffer.from(secret).toString('base64url')],
    ['in base64 after a name', Buffer.from(`bob:${secret}`).toString('base64')], ['in base64 in the middle', Buffer.from(`xy${secret}:z`).toString('base64')],
  ])('%s', (_how, text) => {
    const output = redact(`before ${text} after`, { known: [secret] })
    expect(output).toContain('[redacted:known]')
    expect(output.startsWith('before ') && output.endsWith(' after')).toBe(true)
    expect(output).not.toContain(text.slice(4, -6))
  })
  test('of a kept sign-in, each of its tokens (R53)', () => {
    const kept = JSON.stringify({ server: 'https://mcp.example.com/mcp', tokens: { access_token: 'opaque-one', refresh_token: 'opaque-two' }, client: { client_id: 'countersign-1', client_secret: 'opaque-three' } })
    expect(redact('opaque-one, opaque-two and opaque-three of countersign-1 at https://mcp.example.com/mcp', { known: [kept] })).toBe('[redacted:known], [redacted:known] and [redacted:known] of countersign-1 at https://mcp.example.com/mcp')
    expect(redact('a {not json} b', { known: ['{not json}'] })).toBe('a [redacted:known] b')
  })
  test('very short ones are not looked for, an empty one does nothing', () => {
    expect(redact('abc a b', { known: ['a', ''] })).toBe('abc a b')
  })
})

describe('R68: streams', () => {
  const key = ['-----BEGIN RSA ', 'PRIVATE KEY-----', '\n', `${letters}${letters}\n`.repeat(20), '-----END RSA ', 'PRIVATE KEY-----'].join('')
  const secrets = [put('ghp', '_', letters, letters.slice(0, 12)), 'password=zX81kQp0Lw', `Authorization: Bearer ${letters}`, 'https://a:zX81kQp0Lw@h/x', key, 'my registered secret']

  test('a secret cut anywhere, into any pieces, is found as in the whole text', () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...secrets), fc.constantFrom('plain words', 'a = b', 'x'.repeat(40), '1234567', '{"a": 1}')), { minLength: 1, maxLength: 6 }).map((parts) => `${parts.join('\n')}\n`)
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }), (whole, sizes) => {
        expect(streamed(cut(whole, sizes), ['my registered secret'])).toBe(redact(whole, { known: ['my registered secret'] }))
      }),
      { numRuns: 300 },
    )
  })

  test.each(['Password: ', 'Continue? [y/N] ', '[sudo] password for ann: ', '? Project name › ', 'ann@host:~$ ', '>>> ', '密码：', 'Enter passphrase for key \'/home/ann/.ssh/id_ed25519\': ', 'Are you sure (yes/no)? ', '42% done '])('a question that waits is let go: %s', (question) => {
    const redactor = new StreamRedactor({ known: ['my registered secret'] })
    expect(redactor.push(question) + redactor.idle()).toBe(question)
  })

  test.each(['ghp_a7Kd', 'token=zX8', 'https://ann:zX8', '-----BEGIN RSA PRI', '"password": "zX8', 'my regis', 'AKIAQ7ZR', 'eyJhbGciOiJI'])('what a secret has begun in stays: %s', (begun) => {
    const redactor = new StreamRedactor({ known: ['my registered secret'] })
    const shown = redactor.push(`say ${begun}`) + redactor.idle()
    expect({ shown, isHeld: !/zX8|ghp|PRI|regis|AKIA|eyJ/u.test(shown) }).toEqual({ shown, isHeld: true })
  })

  test('plain output is let go at once, but for its last word', () => {
    const redactor = new StreamRedactor()
    expect([redactor.push('compiling 3 of '), redactor.push('10 files'), redactor.push(' …\n'), redactor.end()]).toEqual(['compiling 3 of ', '10 ', 'files …\n', ''])
  })

  test('the rest of a key that never ends is hidden, and other lines come through again', () => {
    expect(streamed([`${key.slice(0, 120)}`, `\n${letters}\n`, 'npm ERR! no such file (1)\n'])).toBe('[redacted:private-key]npm ERR! no such file (1)\n')
  })

  test('a secret is whole at every place where a very long line is let go', () => {
    const token = put('ghp', '_', letters, letters.slice(0, 12))
    const known = 'sesame-9f8e7d6c5b4a-open'
    for (const [secret, times] of [[token, 2_000], [token, 3_001], [known, 3_000], [`"password": "${letters}"`, 1_500]] as const) {
      const text = `[${`${secret}, `.repeat(times)}]`
      const pieces = text.match(/[^]{1,50000}/gu) ?? []
      expect(streamed(pieces, [known])).toBe(redact(text, { known: [known] }))
    }
  })

  test('a registered secret with blanks in it is not let go word by word', () => {
    const known = 'correct horse battery staple'
    const text = `say ${known} now\n`
    for (let cut = 1; cut < text.length; cut++) expect(streamed([text.slice(0, cut), text.slice(cut)], [known])).not.toMatch(/correct|horse|battery|staple/u)
  })

  test('a long text is redacted in pieces, with rests between them', async () => {
    const text = `${put('token=', letters)} and some words\n`.repeat(8_000)
    let rests = 0
    expect(await redactLong(text, new StreamRedactor(), () => ((rests += 1), Promise.resolve()))).toBe(redact(text))
    expect(rests).toBe(Math.ceil(text.length / 262_144))
  })

  test('a long run without blanks is not held back for ever', () => {
    const redactor = new StreamRedactor()
    expect(redactor.push('A'.repeat(100_000)).length).toBeGreaterThan(60_000)
  })
})

describe('R68: redaction keeps its promises', () => {
  test('redacting twice changes nothing more, and never throws', () => {
    const piece = fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('password=', 'token: "', '"', "'", '://', 'a:b@c', '-----BEGIN PRIVATE KEY-----', '\u001b[31m', '\n', ' ', 'sk-', 'Bearer ', letters, '--secret ', '密码：', '<password>', '</'))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }).map((parts) => parts.join('')), (text) => {
        const once = redact(text)
        expect(redact(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })

  test('colour codes inside a secret do not hide it, and the colours stay', () => {
    const token = put('ghp', '_', letters, letters.slice(0, 12))
    expect(redact(`\u001b[31m${token.slice(0, 9)}\u001b[0m${token.slice(9)}\u001b[1m!`)).toBe('\u001b[31m[redacted:github]\u001b[0m\u001b[1m!')
  })
})
