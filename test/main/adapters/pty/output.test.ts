import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeHeadAndTail } from '../../../../src/main/adapters/pty/headAndTail'
import { makeLiveOutput } from '../../../../src/main/adapters/pty/liveOutput'
import { makeOutputSink } from '../../../../src/main/adapters/pty/outputSink'
import { outputText, plainText } from '../../../../src/main/adapters/pty/outputText'
import { StreamRedactor } from '../../../../src/main/core/policy/redactionStream'

function keep(bytes: Buffer, lengths: readonly number[], head: number, tail: number) {
  const kept = makeHeadAndTail(head, tail)
  let from = 0
  for (const length of [...lengths, bytes.length]) {
    kept.push(bytes.subarray(from, from + length))
    from += length
  }
  return kept.take()
}

const lengths = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 })
const text = fc.array(fc.constantFrom('a', 'é', '署', '🖋', '\n', '\r\n', '\x1b[31m', ' '), { maxLength: 120 }).map((parts) => parts.join(''))

describe('head and tail (O4)', () => {
  test('are the same bytes however the stream is cut', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), lengths, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }), (content, cuts, head, tail) => {
        const bytes = Buffer.from(content)
        const whole = bytes.length <= head + tail
        expect(keep(bytes, cuts, head, tail)).toEqual({
          head: bytes.subarray(0, head),
          tail: whole ? bytes.subarray(head) : bytes.subarray(bytes.length - tail),
          leftOut: whole ? 0 : bytes.length - head - tail,
        })
      }),
    )
  })

  test('a cut is never inside a character', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 12 }), (whole, head, tail, limit) => {
        const shown = outputText(keep(Buffer.from(whole), [], head, tail), { headCharacters: limit, tailCharacters: limit })
        expect(shown.text).not.toContain('\ufffd')
        expect(shown.text).not.toMatch(/\p{Surrogate}/u)
        expect(shown.text.includes(' bytes …]')).toBe(shown.isCut)
      }),
    )
  })

  test('a short text is whole; a long one keeps whole lines at both ends and states what is missing', () => {
    const lines = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('')
    expect(outputText(keep(Buffer.from(lines(1, 9)), [], 1000, 1000), { headCharacters: 40, tailCharacters: 40 })).toEqual({ text: lines(1, 9), isCut: false })
    expect(outputText(keep(Buffer.from(lines(1, 99)), [], 1000, 1000), { headCharacters: 24, tailCharacters: 24 })).toEqual({
      text: `${lines(1, 3)}[… ${(lines(4, 96).length).toLocaleString('en')} bytes …]\n${lines(97, 99)}`,
      isCut: true,
    })
  })

  test('the size stated is that of all that is missing: bytes never kept, and text that did not fit', () => {
    const bytes = Buffer.from(`${'a\n'.repeat(5000)}`)
    const shown = outputText(keep(bytes, [], 1000, 1000), { headCharacters: 10, tailCharacters: 10 })
    expect(shown.text).toBe(`${'a\n'.repeat(5)}[… 9,980 bytes …]\n${'a\n'.repeat(5)}`)
  })
})

describe('text for the model', () => {
  test.each([
    ['colours and cursor', '\x1b[1;31mred\x1b[0m \x1b[?25lx\x1b[2K', 'red x'],
    ['titles and links', '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\', 'ab'],
    ['strings to the terminal', '\x1bP1$r0m\x1b\\a\x1b_note\x1b\\b', 'ab'],
    ['short sequences', '\x1b(Ba\x1b=b\x1bMc', 'abc'],
    ['line ends', 'a\r\nb\r\r\nc', 'a\nb\nc'],
    ['progress: the last state of the line', '10%\r20%\r100%\ndone\n', '100%\ndone\n'],
    ['progress that ends at the start of the line', 'working\rdone\r\n', 'done\n'],
    ['progress with erasing', 'a long line\r\x1b[Kshort\n', 'short\n'],
    ['overprinted bold of manuals', 'N\bNA\bAM\bME\bE _\bx', 'NAME x'],
    ['other control characters', 'a\x00b\x07c\x7fd\te', 'abcd\te'],
    ['a list of downloads that is drawn again', 'start\r\na 10%\r\nb 20%\r\n\x1b[2A\x1b[2Ka 50%\r\n\x1b[2Kb 60%\r\n\x1b[2Aa 100%\r\nb 100%\r\ndone\r\n', 'start\na 100%\nb 100%\ndone\n'],
    ['a line above that is written again, and the rest erased', 'a\r\nb\r\nc\x1b[1F\x1b[Jx\r\n', 'a\nx\n'],
    ['a movement above the first line', '\x1b[99999999Aa\x1b[5Bb', 'ab'],
    ['Chinese', '副署\r\n', '副署\n'],
  ])('%s', (_, raw, shown) => {
    expect(plainText(raw)).toBe(shown)
  })
})

describe('output on its way to the screen', () => {
  test('a character cut between two batches arrives whole', () => {
    const shown: string[] = []
    const live = makeLiveOutput((piece) => shown.push(piece))
    for (const byte of Buffer.from('署🖋')) {
      live.push(Buffer.from([byte]))
      live.flush()
    }
    expect(shown.join('')).toBe('署🖋')
  })

  test('comes in one batch a frame, and what no screen can use is left out up to a line', () => {
    vi.useFakeTimers()
    const shown: string[] = []
    const live = makeLiveOutput((piece) => shown.push(piece))
    live.push(Buffer.from('a'))
    live.push(Buffer.from('b'))
    vi.advanceTimersByTime(20)
    for (let line = 0; line < 20_000; line++) live.push(Buffer.from(`line ${line}\r\n`))
    vi.advanceTimersByTime(20)
    live.push(Buffer.from('late'))
    live.stop()
    vi.advanceTimersByTime(100)
    vi.useRealTimers()
    expect(shown).toEqual(['ab', expect.stringMatching(/^\x1b\[0m\r\nline \d+\r\n[^]*line 19999\r\n$/)])
    expect(shown[1]?.length).toBeLessThan(66_000)
  })
})

describe('R68: what a filter holds back', () => {
  afterEach(() => vi.useRealTimers())

  function sinkWorld() {
    vi.useFakeTimers()
    const shown: string[] = []
    const spool = { write: () => {}, onWritten: () => {}, waitingBytes: () => 0, drop: () => Promise.resolve(), keep: () => Promise.resolve('ref') }
    const sink = makeOutputSink({ spool, filter: new StreamRedactor(), show: (text) => shown.push(text), hold: () => {}, letGo: () => {} })
    const send = (text: string, quietMs: number): string => {
      if (text !== '') sink.push(Buffer.from(text))
      vi.advanceTimersByTime(quietMs)
      return shown.join('')
    }
    return { send, end: async () => (await sink.end()).text }
  }

  test('is shown after 100 ms of silence when no secret has begun in it', () => {
    const { send } = sinkWorld()
    expect([send('Password: ', 90), send('', 40)]).toEqual(['', 'Password: '])
    expect(send('\r\nContinue? [y/N] ', 130)).toBe('Password: \r\nContinue? [y/N] ')
  })

  test('stays held for as long as a secret goes on in it, and what stands before it does not', async () => {
    const { send, end } = sinkWorld()
    expect([send('login with token=zX81', 1000), send('kQp0', 1000), send('Lw and ', 1000)]).toEqual(['login with token=', 'login with token=', 'login with token=[redacted:token] and '])
    expect(send('ghp_', 1000)).toBe('login with token=[redacted:token] and ')
    expect(await end()).toBe('login with token=[redacted:token] and ghp_')
  })

  test('a value that comes after its name was shown is hidden by that name', () => {
    const { send } = sinkWorld()
    expect(send('db_password = ', 200)).toBe('db_password = ')
    expect(send('"zX81kQp0Lw', 200)).toBe('db_password = "')
    expect(send('"\n', 200)).toBe('db_password = "[redacted:password]"\n')
  })
})
