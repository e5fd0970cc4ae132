import { randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readSearchPath, searchFolders } from '../../../src/main/native/searchPath'
import { makeCommandWorld, processesWith } from '../../support/commandWorld'

describe('PATH', () => {
  test('only absolute folders count, each once; without any, the usual ones', () => {
    expect(searchFolders({ PATH: '/a:.::b:/c:/a:../d' })).toEqual(['/a', '/c'])
    expect(searchFolders({ PATH: '.:' })).toEqual(searchFolders({}))
    expect(searchFolders({})).toContain('/usr/bin')
  })

  test('what npm put in front for its own scripts is left out', () => {
    const PATH = '/app/node_modules/.bin:/node_modules/.bin:/lib/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin:/usr/bin:/home/me/.npm-global/bin'
    expect(searchFolders({ PATH, npm_execpath: '/x' })).toEqual(['/usr/bin', '/home/me/.npm-global/bin'])
    expect(searchFolders({ PATH: '/app/node_modules/.bin:/usr/bin' })).toEqual(['/app/node_modules/.bin', '/usr/bin'])
  })
})

describe('started from a desktop (D01)', () => {
  let home: string
  beforeEach(() => {
    home = realpathSync(mkdtempSync(path.join(tmpdir(), 'home-')))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))
  const desktop = () => ({ HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/bash' })
  const profile = (text: string): void => writeFileSync(path.join(home, '.bash_profile'), text)

  test('commands find what the login profile adds to PATH, through a script that finds its own program there too', async () => {
    const tools = path.join(home, 'tools')
    profile(`mkdir -p ${tools}; PATH="${tools}:$PATH"`)
    await readSearchPath(desktop())
    writeFileSync(path.join(tools, 'mytool'), '#!/usr/bin/env mynode\n')
    writeFileSync(path.join(tools, 'mynode'), '#!/bin/sh\necho "ran $1"\n')
    for (const name of ['mytool', 'mynode']) chmodSync(path.join(tools, name), 0o755)

    const world = makeCommandWorld({ source: desktop(), searchPath: () => readSearchPath(desktop()) })
    const end = await world.run('mytool')
    await world.close()
    expect({ text: end.text, exitCode: end.exitCode }).toEqual({ text: `ran ${tools}/mytool\n`, exitCode: 0 })
  })

  test('a profile that prints does not end up in PATH', async () => {
    profile(`echo welcome; echo /evil:/more >&2; PATH="/tools:$PATH"; trap 'echo /bye' EXIT`)
    const { folders: found, problem } = await readSearchPath(desktop())
    expect(problem).toBeNull()
    expect(found[0]).toBe('/tools')
    expect(found.filter((folder) => /evil|more|welcome|bye/.test(folder))).toEqual([])
  })

  test('a profile that fails changes nothing', async () => {
    profile('exit 3')
    expect(await readSearchPath(desktop())).toEqual({ folders: ['/usr/bin', '/bin'], problem: 'silent' })
  })

  test('a profile that is slow changes nothing, and it is ended with what it started', async () => {
    const number = String(randomInt(10 ** 8, 10 ** 9))
    profile(`setsid sleep ${number} & sleep ${number}`)
    expect(await readSearchPath(desktop(), 300)).toEqual({ folders: ['/usr/bin', '/bin'], problem: 'slow' })
    await vi.waitFor(() => expect(processesWith(number)).toEqual([]))
  })

  test('in a terminal PATH is right as it is: the profile only adds', async () => {
    profile('PATH="/tools:$PATH"')
    const { folders: found } = await readSearchPath({ ...desktop(), TERM: 'xterm-256color' })
    expect([found.slice(0, 2), found.includes('/tools')]).toEqual([['/usr/bin', '/bin'], true])
  })

  test('a shell that we cannot ask is not asked', async () => {
    expect(await readSearchPath({ ...desktop(), SHELL: '/bin/no-such-shell' })).toEqual({ folders: ['/usr/bin', '/bin'], problem: null })
    expect(await readSearchPath({ ...desktop(), SHELL: 'bash' })).toEqual({ folders: ['/usr/bin', '/bin'], problem: null })
  })

  test('a program that is not found is told of with the folders that were searched', async () => {
    const world = makeCommandWorld({ source: desktop() })
    const end = await world.run('no_such_program_xyz')
    await world.close()
    expect(end).toMatchObject({ exitCode: 127, searched: ['/usr/bin', '/bin'] })
  })
})
