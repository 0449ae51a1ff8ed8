import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const identity = { GIT_AUTHOR_NAME: 'Gita', GIT_AUTHOR_EMAIL: 'gita@example.org' }
const env = {
  ...process.env,
  ...identity,
  GIT_COMMITTER_NAME: 'Gita',
  GIT_COMMITTER_EMAIL: 'gita@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
}

export interface GitServer {
  /** Of a repository by its name. */
  url(name: string): string
  host: string
  port: number
  /** Every request, as `METHOD /path` and the credentials it showed. */
  seen: { request: string; authorization: string | undefined }[]
  /** Asked for by every request from now on; undefined lets anyone in. */
  token: string | undefined
  /** Answers instead of git while it is set. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** Where a repository or a clone lies. */
  folder(name: string): string
  /** An empty bare repository that takes pushes. */
  make(name: string): Promise<void>
  /** Git in a folder of the machine, here a clone of a repository. */
  git(folder: string, ...args: string[]): Promise<string>
  clone(name: string, ...args: string[]): Promise<string>
  /** Makes commits from a stream as `git fast-import` reads it: also such as no one would make by hand. */
  fastImport(folder: string, stream: string): Promise<void>
  stop(): Promise<void>
}

/** Repositories over smart HTTP, served by git's own program on loopback. */
export async function startGitServer(): Promise<GitServer> {
  const directory = mkdtempSync(join(tmpdir(), 'coherex-git-'))
  const backend = join((await execute('git', ['--exec-path'])).stdout.trim(), 'git-http-backend')
  const http = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  let clones = 0

  const git = async (folder: string, ...args: string[]) => {
    const { stdout } = await execute('git', args, { cwd: join(directory, folder), env, encoding: 'utf8' })
    return stdout
  }
  const server: GitServer = {
    url: (name) => `http://127.0.0.1:${port}/${name}.git`,
    host: '127.0.0.1',
    port,
    seen: [],
    token: undefined,
    intercept: undefined,
    folder: (name) => join(directory, name),
    async make(name) {
      await git('.', 'init', '-q', '--bare', '-b', 'main', `${name}.git`)
      await git(`${name}.git`, 'config', 'http.receivepack', 'true')
    },
    git,
    async clone(name, ...args) {
      const folder = `clone-${++clones}`
      await git('.', 'clone', '-q', ...args, `${name}.git`, folder)
      return join(directory, folder)
    },
    async fastImport(folder, stream) {
      const child = spawn('git', ['fast-import', '--quiet', '--force'], { cwd: join(directory, folder), env })
      child.stdin.end(stream)
      const said = Buffer.concat(await child.stderr.toArray()).toString()
      const code = child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve)))
      if (code !== 0) throw new Error(`git fast-import: ${said}`)
    },
    async stop() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      rmSync(directory, { recursive: true, force: true })
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers
    server.seen.push({ request: `${request.method} ${request.url}`, authorization })
    if (server.intercept?.(request, response)) return
    const shown = Buffer.from(authorization?.split(' ')[1] ?? '', 'base64').toString()
    if (server.token !== undefined && shown.split(':')[1] !== server.token) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    const url = new URL(request.url ?? '', 'http://git.test')
    const child = spawn(backend, {
      env: {
        ...env,
        GIT_PROJECT_ROOT: directory,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        REMOTE_USER: 'someone',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    // whoever hangs up while it writes is no fault of git's
    child.stdin.on('error', () => undefined)
    request.pipe(child.stdin)
    const all = Buffer.concat(await child.stdout.toArray())
    const end = all.indexOf('\r\n\r\n')
    for (const line of all.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(': ')
      if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    }
    response.end(all.subarray(end + 4))
  }
  return server
}
