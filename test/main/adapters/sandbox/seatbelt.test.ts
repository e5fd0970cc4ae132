import { expect, test } from 'vitest'
import { seatbeltProfile, type SeatbeltPlan } from '../../../../src/main/adapters/sandbox/seatbelt'

const plan: SeatbeltPlan = {
  root: '/Users/me/it "is" mine', home: '/Users/me', dataFolder: '/Users/me/Library/Application Support/Countersign', network: false, shown: ['/Users/me/.nvm'], writable: ['/private/tmp/x'],
  outsideGit: null, kept: ['/Users/me/it "is" mine/.git'], readOnly: ['/Users/me/it "is" mine/.git/hooks', '/Users/me/it "is" mine/.mcp.json'],
}

/** Where the first line that contains the text stands: of rules that fit, the last one counts. */
const lineOf = (profile: string, text: string): number => profile.split('\n').findIndex((line) => line.includes(text))

test('the profile of macOS has the policy of Linux, in the order in which rules count (R72)', () => {
  const profile = seatbeltProfile(plan)
  expect(profile.startsWith('(version 1)\n(deny default)\n')).toBe(true)
  const order = [
    '(allow file-read*)', '(deny file-read* (subpath "/Users/me")', '(allow file-read* (subpath "/Users/me/it \\"is\\" mine") (subpath "/Users/me/.nvm") (subpath "/private/tmp/x"))',
    '(allow file-write* (subpath "/Users/me/it \\"is\\" mine") (subpath "/private/tmp/x"))', '(deny file-write-unlink (literal "/Users/me/it \\"is\\" mine") (literal "/Users/me/it \\"is\\" mine/.git"))',
    '(deny file-write* (subpath "/Users/me/it \\"is\\" mine/.git/hooks") (subpath "/Users/me/it \\"is\\" mine/.mcp.json"))', '(deny file-read* file-write* (subpath "/Users/me/Library/Application Support/Countersign"))',
  ].map((text) => lineOf(profile, text))
  expect(order).not.toContain(-1)
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('the network is allowed by name only, and sockets with a path never are (R72)', () => {
  expect(seatbeltProfile(plan)).not.toContain('network')
  expect(seatbeltProfile({ ...plan, network: true })).toMatch(/\(allow network\*\)\n\(deny network-outbound \(remote unix-socket\)\)/)
})

test('no path can end its string early: quotes and brackets stay in pairs (R72)', () => {
  const profile = seatbeltProfile({ ...plan, root: '/a")(allow default)(literal "', readOnly: ['/b\\'] })
  const outside = profile.replace(/#?"(?:[^"\\]|\\.)*"/g, '')
  expect(outside).not.toContain('allow default')
  expect([...outside].filter((letter) => letter === '(').length).toBe([...outside].filter((letter) => letter === ')').length)
})
