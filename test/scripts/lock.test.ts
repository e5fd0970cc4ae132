import { expect, test } from 'vitest'
test('placeholder', () => { expect(process.env['COUNTERSIGN_SQLITE_BINDING']).toBeTruthy() })
