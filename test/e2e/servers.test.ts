import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inWorld } from '../support/appUnderTest'
import { repositoryRoot } from '../support/window'

test('a server is added by its form in the real window: tested first, saved, run, and written down as typed (R44, case f02)', () =>
  inWorld({}, async (world) => {
    const app = await world.open()
    const { page, dataDir } = app.window
    const folder = path.join(dataDir, 'my server (1)', 'ünï')
    mkdirSync(folder, { recursive: true })
    const script = path.join(folder, 'f02.mjs')
    copyFileSync(path.join(repositoryRoot, 'test/cases/F/f02.mjs'), script)
    const args = [script, '--dir', '/a b/c', '"q"', '', "a'b", '$HOME', '*']
    await page.keyboard.press('Control+4')
    await page.getByRole('button', { name: 'Add by command' }).click()
    const form = page.getByRole('form', { name: 'MCP server' })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('odd')
    await form.getByRole('textbox', { name: 'Command' }).fill('node')
    for (const [at, text] of args.entries()) {
      await form.getByRole('button', { name: 'Add argument' }).click()
      await form.getByRole('textbox', { name: `Argument ${at + 1}`, exact: true }).fill(text)
    }
    await form.getByRole('button', { name: 'Test' }).click()
    const steps = page.getByRole('region', { name: 'Test' }).getByRole('listitem')
    await expect.poll(() => steps.getByLabel('Passed').count(), { timeout: 15_000 }).toBeGreaterThanOrEqual(4)
    // The draft has a row of its own with the same name; it goes when the entry is written.
    const draft = page.getByRole('button', { name: /^odd.*Not saved/ })
    await draft.waitFor()
    await form.getByRole('button', { name: 'Save' }).click()
    await draft.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^odd/ }).waitFor()
    const file = path.join(dataDir, 'mcp.json')
    expect((JSON.parse(readFileSync(file, 'utf8')) as { readonly mcpServers: Readonly<Record<string, unknown>> }).mcpServers['odd']).toEqual({ command: 'node', args })
    await page.getByRole('button', { name: 'Start now' }).click()
    await page.getByText(/^Running since/).waitFor()
    await page.getByRole('button', { name: 'Show log' }).click()
    await page.getByRole('log', { name: 'Log of odd' }).waitFor()
    await page.keyboard.press('Escape')
    expect(app.window.complaints).toEqual([])
  }))

test('a broken mcp.json is said with line and column in the real window, and its bytes stay (R44)', () =>
  inWorld({}, async (world) => {
    const broken = '{\n  // mine\n  "mcpServers": {\n    "a": { "command": "node" "args": [] }\n  }\n}\n'
    const file = path.join(world.dataDir, 'mcp.json')
    mkdirSync(world.dataDir, { recursive: true })
    writeFileSync(file, broken)
    const app = await world.open()
    await app.window.page.keyboard.press('Control+4')
    await app.window.page.getByText(/line 4, column/).first().waitFor()
    expect([await app.window.page.getByRole('button', { name: 'Import' }).isDisabled(), readFileSync(file, 'utf8')]).toEqual([true, broken])
  }))
