import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { assemblePrompt } from '../../../../src/main/core/context/prompt'
import { estimateTokens } from '../../../../src/main/core/context/estimate'

const read = (name: string): string => readFileSync(path.resolve(import.meta.dirname, '../../../../resources/prompts', name), 'utf8')

test('the prompt puts what never changes first and names the folder and language last', async () => {
  const prompt = assemblePrompt({ base: read('base.md'), safety: read('safety.md'), root: '/home/ada/app', platform: 'linux', locale: 'zh-CN' })
  await expect(prompt).toMatchFileSnapshot('prompt.zh-CN.txt')
})

test('tokens are estimated by 1.5 Chinese or 4 other characters each', () => {
  expect([estimateTokens(''), estimateTokens('abcd'), estimateTokens('你好吗'), estimateTokens('你好吗abcd')]).toEqual([0, 1, 2, 3])
})
