import { readdir, readFile } from 'node:fs/promises'

export const spenders = ['client', 'server', 'server threads', 'postgres', 'children'] as const
/** Milliseconds of CPU: of this process, the server's main thread, its others, its database, and everything else it started. */
export type CpuTime = Record<(typeof spenders)[number], number>

interface Process {
  name: string
  parent: number
  /** What those used that ended below it: nobody else counts them any more. */
  endedMs: number
}

/** What a server and everything below it have used so far. */
export async function readCpuTime(serverPid: number): Promise<CpuTime> {
  const own = process.cpuUsage()
  const sum: CpuTime = {
    ...{ client: (own.user + own.system) / 1000, server: 0 },
    ...{ 'server threads': 0, postgres: 0, children: 0 },
  }
  const processes = await readProcesses()
  for (const [pid, { endedMs }] of processes) {
    const line = ancestry(pid, processes)
    if (!line.includes(serverPid)) continue
    const kind = line.some((one) => processes.get(one)?.name === 'postgres') ? 'postgres' : 'children'
    sum[kind] += endedMs
    for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
      const spender = pid !== serverPid ? kind : Number(thread) === pid ? 'server' : 'server threads'
      sum[spender] += await readThread(pid, thread)
    }
  }
  return sum
}

async function readProcesses(): Promise<Map<number, Process>> {
  const processes = new Map<number, Process>()
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const text = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '') // ended meanwhile
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    // USER_HZ is 100 on every Linux that Node runs on
    const endedMs = (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * 10
    processes.set(Number(entry), { name, parent: Number(fields[1]), endedMs })
  }
  return processes
}

function ancestry(pid: number, processes: Map<number, Process>): number[] {
  const line: number[] = []
  for (let one: number | undefined = pid; one; one = processes.get(one)?.parent) line.push(one)
  return line
}

async function readThread(pid: number, thread: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0') // ended meanwhile
  return Number(text.split(' ', 1)[0]) / 1e6
}
