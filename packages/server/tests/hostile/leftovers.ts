import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'

/** What a server holds on its machine at one moment. */
export interface Holdings {
  sandboxes: number
  /** Processes in sandboxes that belong to no runtime. */
  strangers: string[]
  /** Of all sandboxes together, so far. */
  cpuTicks: number
  mounts: number
  /** Open descriptors but for the four of each sandbox and the connections that clients keep open. */
  descriptors: number
  /** Below the directory of sandboxes, but for their shapes and the sockets of zygotes, which are shared and few. */
  files: number
  /** Ports that processes in sandboxes listen on. */
  listening: number
}

const isOurs = (line: string) =>
  /^(\/usr\/bin\/)?bwrap /.test(line) ||
  /^(\/usr\/bin\/)?unshare /.test(line) ||
  /^\/bin\/sh .*enter\.sh/.test(line) ||
  line.startsWith('/usr/bin/prlimit ') ||
  /^\/usr\/bin\/python3 -I -B -X utf8 \/opt\/(coherex\/python\/driver|fork\/serve)\.py/.test(line) ||
  line === 'coherex-keeper infinity' ||
  /^\/(app|opt\/coherex|opt\/node\/bin)\/\S*( |$)/.test(line)

// a zygote may still be on its way, and a worn one is replaced
const isShared = (path: string) => path.endsWith('.options') || /\/spawner\/zygote-\d+$/.test(path)

export interface Machine {
  pid: number
  port: number
  dataDirectory: string
}

function readHoldings({ pid, port, dataDirectory }: Machine): Holdings {
  const groups = sandboxGroups(pid)
  const processes = groups.flatMap((group) => lines(join(group, 'cgroup.procs')))
  const commands = processes.map((one) => read(`/proc/${one}/cmdline`).replaceAll('\0', ' ').trim())
  return {
    sandboxes: groups.length,
    strangers: commands.filter((line) => line !== '' && !isOurs(line)),
    cpuTicks: processes.reduce((sum, one) => sum + ticksOf(one), 0),
    mounts: lines(`/proc/${pid}/mountinfo`).length,
    descriptors: readdirSync(`/proc/${pid}/fd`).length - 4 * groups.length - clientsOf(port),
    files: filesBelow(join(dataDirectory, 'sandboxes')).filter((path) => !isShared(path)).length,
    listening: listeningIn(processes),
  }
}

/** Waits until no sandbox works any more and none holds a stranger; says what is left when that does not come. */
export async function settle(
  server: Machine,
  { withinMs, descriptors = Infinity }: { withinMs: number; descriptors?: number },
): Promise<Holdings> {
  const until = performance.now() + withinMs
  for (let before = readHoldings(server); ;) {
    await delay(150)
    const now = readHoldings(server)
    const isQuiet = now.sandboxes === before.sandboxes && Math.abs(now.cpuTicks - before.cpuTicks) <= 2
    const isSettled = isQuiet && now.strangers.length === 0 && now.descriptors <= descriptors
    if (isSettled || performance.now() > until) return now
    before = now
  }
}

/** Sessions of the database, and those that sit in a transaction nobody ends. */
export async function databaseSessions(superuser: Client): Promise<{ all: number; stuck: number }> {
  const { rows } = await superuser.query<{ all: number; stuck: number }>(`
    SELECT count(*)::int AS all,
      (count(*) FILTER (WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '2 seconds'))::int AS stuck
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  return rows[0] ?? { all: 0, stuck: 0 }
}

/** Control groups of this server's sandboxes, v1 or v2; none where groups cannot be used. */
function sandboxGroups(pid: number): string[] {
  for (const root of ['/sys/fs/cgroup/pids/coherex', '/sys/fs/cgroup/coherex', '/sys/fs/cgroup/unified/coherex']) {
    if (!existsSync(root)) continue
    const own = readdirSync(root).filter((name) => name.startsWith(`${pid}.`))
    return own.flatMap((name) =>
      readdirSync(join(root, name), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [join(root, name, entry.name)] : [],
      ),
    )
  }
  return []
}

function ticksOf(pid: string): number {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

// the launcher's own processes are in the network of the host, where others listen
function listeningIn(processes: string[]): number {
  const networks = new Map(processes.map((pid) => [networkOf(pid), pid]))
  networks.delete(networkOf('self'))
  return [...networks.values()].reduce((sum, pid) => sum + listenersOf(pid), 0)
}

function listenersOf(pid: string): number {
  // a table takes the kernel 13 ms, and most networks have no socket at all
  const counts = read(`/proc/${pid}/net/sockstat`) + read(`/proc/${pid}/net/sockstat6`)
  if (!/^TCP6?: inuse [1-9]/m.test(counts)) return 0
  const tables = [`/proc/${pid}/net/tcp`, `/proc/${pid}/net/tcp6`].flatMap((file) => lines(file).slice(1))
  return tables.filter((line) => line.trim().split(/\s+/)[3] === '0A').length
}

// established, with our port at this end
function clientsOf(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return lines('/proc/self/net/tcp').filter((line) => {
    const [, address = '', , state] = line.trim().split(/\s+/)
    return address.endsWith(local) && state === '01'
  }).length
}

function networkOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return networkOf('self') // it has ended meanwhile
  }
}

function filesBelow(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory, { recursive: true }).map(String) : []
}

function lines(file: string): string[] {
  return read(file).split('\n').filter(Boolean)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // it has ended meanwhile
  }
}
