// Jupyter Server as Debian has it (apt-get install jupyter-server python3-ipykernel), for measuring beside it.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export interface Jupyter {
  /** A new kernel that has run one cell, and how long both took. */
  startKernel(code: string): Promise<{ kernel: Kernel; ms: number }>
  stop(): Promise<void>
}

export interface Kernel {
  /** How long a cell took. */
  run(code: string): Promise<number>
  end(): Promise<void>
}

const token = randomUUID()
const patienceMs = 60_000

/** Undefined where there is none. */
export async function startJupyter(): Promise<Jupyter | undefined> {
  const program = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((place) => join(place, 'jupyter-server'))
    .find(existsSync)
  if (!program) return undefined
  const home = mkdtempSync(join(tmpdir(), 'coherex-jupyter-'))
  const port = await freePort()
  const options = { ip: '127.0.0.1', port, 'port-retries': 0, 'root-dir': home }
  const words = Object.entries(options).map(
    ([name, value]) => `--${name === 'root-dir' ? 'ServerApp.root_dir' : name}=${value}`,
  )
  const settings = ['--no-browser', '--allow-root', `--ServerApp.token=${token}`, `--IdentityProvider.token=${token}`]
  const child = spawn(program, [...words, ...settings], {
    env: { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8' },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const headers = { authorization: `token ${token}` }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(home, { recursive: true, force: true })
  }
  for (const began = performance.now(); ; await wait(100)) {
    if (
      await fetch(`${url}/api/status`, { headers }).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    if (child.exitCode === null && performance.now() - began < patienceMs) continue
    await stop()
    throw new Error('Jupyter Server did not start')
  }
  return {
    async startKernel(code) {
      const began = performance.now()
      const response = await fetch(`${url}/api/kernels`, { method: 'POST', headers })
      const { id } = (await response.json()) as { id: string }
      const kernel = await openKernel(`ws://127.0.0.1:${port}/api/kernels/${id}/channels?token=${token}`)
      await kernel.run(code)
      return {
        ms: performance.now() - began,
        kernel: {
          run: kernel.run,
          async end() {
            kernel.close()
            await fetch(`${url}/api/kernels/${id}`, { method: 'DELETE', headers })
          },
        },
      }
    },
    stop,
  }
}

async function openKernel(url: string) {
  const socket = new WebSocket(url)
  const session = randomUUID()
  const replies = new Map<string, (status: string) => void>()
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as {
      msg_type?: string
      parent_header: { msg_id?: string }
      content: { status?: string }
    }
    if (message.msg_type !== 'execute_reply') return
    replies.get(message.parent_header.msg_id ?? '')?.(message.content.status ?? '')
  })
  return {
    async run(code: string): Promise<number> {
      const began = performance.now()
      const id = randomUUID()
      const replied = new Promise<string>((resolve) => replies.set(id, resolve))
      const header = { msg_id: id, msg_type: 'execute_request', username: 'bench', session, version: '5.3' }
      const content = { code, silent: false, store_history: true, user_expressions: {}, allow_stdin: false }
      socket.send(JSON.stringify({ header, parent_header: {}, metadata: {}, content, channel: 'shell' }))
      if ((await replied) !== 'ok') throw new Error('A cell of Jupyter failed')
      return performance.now() - began
    },
    close: () => socket.close(),
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
