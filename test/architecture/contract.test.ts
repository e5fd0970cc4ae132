import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventVersions } from '../../src/shared/domain/event'
import { channels, pushes } from '../../src/shared/ipc/channels'
import { schemas } from '../../src/shared/ipc/schemas'

test('a change of the wire shows in review', async () => {
  const contract = {
    channels: Object.fromEntries(channels.map((name) => [name, z.toJSONSchema(schemas[name].input, { io: 'input' })])),
    pushes,
    events: eventVersions,
  }
  await expect(`${JSON.stringify(contract, null, 2)}\n`).toMatchFileSnapshot('contract.json')
})
