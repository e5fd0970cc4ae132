import type { ApprovalPreview } from '../../../src/shared/domain/approval'
import { said } from '../../../src/shared/domain/result'
import type { MemoryAnswers } from '../../support/memoryHost'
import * as mcp from './mcpWorld'

/** The cards of servers, by the name of their story. */
export const mcpPreviews: Readonly<Record<string, ApprovalPreview>> = {
  'mcp-card': mcp.mcpPreview, 'mcp-changed': mcp.changedPreview, sampling: mcp.samplingPreview, elicitation: mcp.formPreview, address: mcp.addressPreview,
}

/** What the conversation asks of servers and of the outputs store. */
export const mcpAnswers: MemoryAnswers = {
  'mcp/resources': ({ query }) => mcp.resources.filter((one) => `${one.name}${one.title}${one.uri}`.toLowerCase().includes(query.toLowerCase())),
  'mcp/prompts': () => mcp.prompts,
  'mcp/complete': ({ value }) => ['harbor', 'harbor-orders', 'tide-tables'].filter((one) => one.startsWith(value)),
  'mcp/prompt': ({ args }) => ({ ok: true, value: { text: `Triage issue ${args['issue'] ?? ''}: suggest labels and say why.`, attachments: [{ server: 'github', uri: 'issue://harbor/412', name: 'Issue 412' }], notes: [said('session.content.bad-image', { type: 'image/tiff' })] } }),
  'output/content': ({ ref }) => ({ ok: true, value: { base64: ref === mcp.refs.broken ? btoa('no picture') : picture(), sizeBytes: 12_400 } }),
  'output/read': ({ offset, length }) => ({ ok: true, value: { text: `line at ${offset}\n`.repeat(200), totalBytes: offset === 0 ? length * 3 : length * 3 } }),
}

/** A picture as a tool might have taken it. */
function picture(): string {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: 960, height: 540 })
  const pen = canvas.getContext('2d')
  if (!pen) return ''
  const sky = pen.createLinearGradient(0, 0, 960, 540)
  sky.addColorStop(0, '#31506b')
  sky.addColorStop(1, '#d98b5f')
  pen.fillStyle = sky
  pen.fillRect(0, 0, 960, 540)
  pen.fillStyle = '#ffffff'
  pen.font = '48px sans-serif'
  pen.fillText('Orders · 3 unpaid', 60, 120)
  for (let row = 0; row < 5; row += 1) pen.fillRect(60, 180 + row * 60, 500 + row * 60, 28)
  return canvas.toDataURL('image/png').split(',')[1] ?? ''
}
