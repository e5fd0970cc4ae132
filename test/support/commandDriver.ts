import path from 'node:path'
import { makeBlobStore } from '../../src/main/adapters/blobs/blobStore'
import { makeCommandRunner } from '../../src/main/adapters/pty/commandRunner'

/**
 * A small app around the runner, for what a test cannot do to itself: run as another user, and be killed. Takes a folder, the
 * isolation ('probe' or 'mark') and commands; prints each command's end as a line of JSON, then `ready`, and stays until
 * its input ends. Commands after `--` are started and not waited for.
 */
async function main([folder = '', isolation, ...rest]: readonly string[]): Promise<void> {
  const split = rest.includes('--') ? rest.indexOf('--') : rest.length
  const spool = makeBlobStore(path.join(folder, 'outputs'))
  const runner = makeCommandRunner({ spool, source: process.env, ...(isolation === 'mark' ? { isolation: { kind: 'mark' } } : {}) })
  const start = async (command: string, at: number) => {
    const started = await runner.start({ callId: `call-${at}`, command, cwd: folder, timeoutMs: null, confinement: { kind: 'outside' } }, () => {}, new AbortController().signal)
    if (!started.ok) throw new Error(started.fault.code)
    return started.value
  }
  for (const [at, command] of rest.slice(0, split).entries()) {
    const running = await start(command, at)
    process.stdout.write(`${JSON.stringify(await running.ended)}\n`)
  }
  for (const [at, command] of rest.slice(split + 1).entries()) await start(command, 1000 + at)
  process.stdout.write('ready\n')
  process.stdin.resume().once('end', () => {
    void runner.closeAll().then(() => process.exit(0))
  })
}

await main(process.argv.slice(2))
