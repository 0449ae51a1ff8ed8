import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../../server/src/main.ts')

export const ownerKey = 'a-fixed-key-of-the-first-owner'

/** The whole server as its own process, with its own database in a folder of its own. */
export async function startRealServer(settings: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'coherex-cli-story-'))
  chmodSync(home, 0o755) // the database runs as another user
  const server = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      COHEREX_DATA_DIR: join(home, 'data'),
      COHEREX_TOKEN: ownerKey,
      COHEREX_HOME: home,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const address = /at (http:\/\/\S+)\s/.exec(said)?.[1]
      if (address) resolve(address)
    })
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  return {
    url,
    home,
    async stop(): Promise<void> {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}
