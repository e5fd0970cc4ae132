import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { AgainFact } from '../../../src/renderer/features/approvals/AgainFact'
import type { ApprovalRequest } from '../../../src/shared/domain/approval'
import { show } from '../support'

afterEach(cleanup)

const asked = (askedBefore?: ApprovalRequest['askedBefore']): string => {
  show(<AgainFact request={{ ...(askedBefore === undefined ? {} : { askedBefore }) } as ApprovalRequest} />)
  const text = screen.queryByText(/It waited when the app stopped/)?.textContent ?? ''
  cleanup()
  return text
}

test('R84 a question that waited over a restart says whether it is the same; every other says nothing', () => {
  expect(asked()).toBe('')
  expect(asked({ atMs: 0, isSame: true })).toBe('It waited when the app stopped. Judged again: same verdict, same bytes.')
  expect(asked({ atMs: 0, isSame: false })).toContain('is no longer what it was then: read it again.')
})
