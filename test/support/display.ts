import { spawn, type ChildProcess } from 'node:child_process'
import { SetupError } from '../../scripts/say.mjs'

/**
 * One virtual screen where there is none, its number set in DISPLAY. The server picks a free number itself and tells it.
 *
 * @returns the server, for the caller to end; undefined where a screen is there already
 */
export async function startDisplay(): Promise<ChildProcess | undefined> {
  if (process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']) return undefined
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    server.stdio[3]?.once('data', (bytes: Buffer) => resolve(bytes.toString('utf8').trim()))
    server.once('error', () => reject(new SetupError('Xvfb is missing: run "npm run setup"')))
    server.once('exit', () => reject(new SetupError('Xvfb stopped at once: run "Xvfb :99" to see why')))
  })
  process.env['DISPLAY'] = `:${number}`
  return server
}
