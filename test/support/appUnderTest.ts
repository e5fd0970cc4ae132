import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { said, type Values } from '../../src/shared/domain/result'
import type { Settings } from '../../src/shared/domain/settings'
import type { SayCode } from '../../src/shared/words/codes'
import { say, type Locale } from '../../src/shared/words/say'
import { startFakeModelServer, type FakeModelOptions, type FakeModelServer } from './fakeModelServer'
import { launchWindow, repositoryRoot, type OpenedWindow, type WindowOptions } from './window'

/** What an app under test begins with. */
export interface WorldOptions {
  readonly files?: Readonly<Record<string, string>>
  readonly locale?: Locale
  readonly settings?: Partial<Settings>
  /** The fake provider; without it the app has no model. */
  readonly model?: FakeModelOptions
  /** Screenshots go to test/artefacts/NAME. */
  readonly artefacts?: string
}

/** A home, a data folder, a project and a fake model of its own; `remove` ends what is still open and removes all of it. */
export interface AppWorld {
  readonly base: string
  readonly home: string
  readonly dataDir: string
  readonly project: string
  readonly model: FakeModelServer
  file(name: string): string
  /** Starts the app on the project and waits until it can be written to. */
  start(options?: WindowOptions): Promise<AppUnderTest>
  /** Starts the app without a folder. */
  open(options?: WindowOptions): Promise<AppUnderTest>
  /** Pictures of what is on screen, for whoever looks into a failure. */
  keepPictures(name: string): Promise<void>
  remove(): Promise<void>
}

/** Makes a world. Nothing of this machine's user reaches the app, and nothing of the app reaches them. */
export async function makeAppWorld(options: WorldOptions = {}): Promise<AppWorld> {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'countersign-app-')))
  const [home, dataDir, project] = ['home', 'data', 'project'].map((name) => path.join(base, name)) as [string, string, string]
  for (const folder of [home, project]) mkdirSync(folder)
  mkdirSync(dataDir, { mode: 0o700 })
  for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(path.join(project, name), text)
  if (options.settings) writeFileSync(path.join(dataDir, 'settings.json'), JSON.stringify(options.settings), { mode: 0o600 })
  const model = await startFakeModelServer(options.model)
  const provider: Record<string, string> = options.model ? { COUNTERSIGN_PROVIDER_URL: model.baseUrl, COUNTERSIGN_PROVIDER_KEY: 'test-key-4711', COUNTERSIGN_MODEL: 'fake-model' } : {}
  const opened: OpenedWindow[] = []
  const locale = options.locale ?? 'en'

  const open = async (window: WindowOptions = {}): Promise<AppUnderTest> => {
    const started = await launchWindow({ dataDir, ...window, env: { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), COUNTERSIGN_LOCALE: locale, ...provider, ...window.env } })
    opened.push(started)
    return new AppUnderTest(started, locale, options.artefacts)
  }
  return {
    base, home, dataDir, project, model, open,
    file: (name) => path.join(project, name),
    async start(window = {}) {
      const app = await open({ ...window, env: { COUNTERSIGN_OPEN: project, ...window.env } })
      await app.message.waitFor()
      return app
    },
    async keepPictures(name) {
      const folder = path.join(repositoryRoot, 'test/artefacts/failures')
      mkdirSync(folder, { recursive: true })
      const label = `${expect.getState().currentTestName ?? ''} ${name}`.replaceAll(/\W+/g, '-').slice(-120).replace(/^-/, '')
      for (const [at, { page }] of opened.entries()) await page.screenshot({ path: path.join(folder, `${label}-${at}.png`), timeout: 3000 }).catch(() => undefined) // it may be closed
    },
    async remove() {
      const ends = await Promise.allSettled(opened.map((one) => one.close()))
      await model.close()
      rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
      for (const one of ends) if (one.status === 'rejected') throw one.reason
    },
  }
}

/** A started app, seen as a person sees it: by roles and names. */
export class AppUnderTest {
  readonly window: OpenedWindow
  readonly #locale: Locale
  readonly #artefacts: string | undefined
  #shots = 0

  constructor(window: OpenedWindow, locale: Locale, artefacts?: string) {
    this.window = window
    this.#locale = locale
    this.#artefacts = artefacts
  }

  get page(): Page {
    return this.window.page
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: this.word('session.message'), exact: true })
  }

  get card(): Locator {
    return this.page.getByRole('region', { name: this.word('approval.region'), exact: true })
  }

  get conversation(): Locator {
    return this.page.getByRole('log', { name: this.word('session.conversation') })
  }

  get timeline(): Locator {
    return this.page.getByRole('list', { name: this.word('timeline.list'), exact: true })
  }

  /** A sentence as it stands on screen. */
  word(code: SayCode, values: Values = {}): string {
    return say(this.#locale, said(code, values))
  }

  button(code: SayCode, values: Values = {}): Locator {
    return this.page.getByRole('button', { name: this.word(code, values), exact: true })
  }

  /** The card's button, which takes a click only when it is armed. */
  answer(code: SayCode): Locator {
    return this.card.getByRole('button', { name: this.word(code), exact: true })
  }

  /** Goes to a page by the rail. */
  async goTo(page: 'work' | 'timeline' | 'memory' | 'servers' | 'skills' | 'audit' | 'models' | 'settings'): Promise<void> {
    await this.page.getByRole('navigation', { name: this.word('ui.pages') }).getByRole('link', { name: this.word(`ui.page.${page}`) }).click()
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text)
    await this.button('session.send').click()
  }

  /** Waits for the card of this text and signs it. */
  async allow(text: string | RegExp): Promise<void> {
    await this.card.filter({ hasText: text }).waitFor()
    await this.answer('approval.allow').click()
    await this.card.filter({ hasText: text }).waitFor({ state: 'detached' })
  }

  /** Waits until no turn runs. */
  async idle(): Promise<void> {
    await this.button('session.stop').waitFor({ state: 'detached' })
  }

  /** Waits until the conversation says this. */
  async says(text: string | RegExp): Promise<void> {
    await this.conversation.getByText(text).first().waitFor()
  }

  /** Keeps a picture of the window. */
  async shot(name: string): Promise<void> {
    if (!this.#artefacts) return
    const folder = path.join(repositoryRoot, 'test/artefacts', this.#artefacts)
    mkdirSync(folder, { recursive: true })
    await this.page.screenshot({ path: path.join(folder, `${String(++this.#shots).padStart(2, '0')}-${name}.png`) })
  }

  close(): Promise<void> {
    return this.window.close()
  }
}

/** A test in a world of its own; what was on screen when it failed is kept beside the other pictures. */
export async function inWorld(options: WorldOptions, run: (world: AppWorld) => Promise<void>): Promise<void> {
  const world = await makeAppWorld(options)
  try {
    await run(world)
  } catch (error) {
    await world.keepPictures('failure')
    await world.remove().catch(() => undefined) // what failed first is what is told
    throw error
  }
  await world.remove()
}

/** Waits until a reading fits; for what no locator shows (files, processes). */
export async function eventually(read: () => unknown, expected: unknown): Promise<void> {
  await expect.poll(read, { timeout: 15_000, interval: 50 }).toEqual(expected)
}
