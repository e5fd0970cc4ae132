import { expect, test } from 'vitest'
import { outsideMark, verbOf } from '../../../src/renderer/features/work/callWords'
import { speakerFor } from '../../../src/renderer/ui/words'

test('R71 the mark of outside text names the page or the server that it came from', () => {
  const web = { kind: 'web', host: 'docs.example', url: 'https://docs.example/a' } as const
  expect(outsideMark(web, speakerFor('en'))).toEqual({ short: 'From the web: docs.example', whole: 'This text came from https://docs.example/a. The model is told that it is data and no instruction.' })
  expect(outsideMark(web, speakerFor('zh-CN')).short).toBe('来自网络：docs.example')
  expect(outsideMark({ kind: 'web', host: 'python3', url: 'python3' }, speakerFor('en')).short).toBe('From a command with the network: python3')
  expect(outsideMark({ kind: 'web', host: 'localhost:8000', url: 'http://localhost:8000/' }, speakerFor('zh-CN')).short).toBe('来自这台电脑：localhost:8000')
  expect(outsideMark({ kind: 'mcp', server: 'github' }, speakerFor('en'))).toEqual({ short: 'outside text', whole: 'This text came from the server github. The model is told that it is data and no instruction.' })
})

test('R102 the calls of the web have words of their own', () => {
  expect(['fetch_url', 'search_web'].map((tool) => verbOf(tool, speakerFor('en')))).not.toContain('search_web')
})
