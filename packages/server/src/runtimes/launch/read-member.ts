import { readFileSync } from 'node:fs'

/** The kernel's PF_SIGNALED: a process that ends because of a signal, until it is gone. */
const endedBySignal = 0x400
/** SIGKILL, in a mask of signals. */
const killMask = 1n << 8n

/** A process of a control group, as its memory is shared out. */
interface Member {
  pid: number
  /** Never that of another process, as a pid can be. */
  name: string
  pages: number
  isBeingEnded: boolean
}

/** A process of a group; none when it is gone. */
export function readMember(pid: number): Member[] {
  // the command, in parentheses, may contain anything
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  const [flags, startedAt, pages] = [fields[6], fields[19], fields[21]].map(Number)
  if (flags === undefined || startedAt === undefined || pages === undefined || Number.isNaN(flags)) return []
  return [{ pid, name: `${pid}.${startedAt}`, pages, isBeingEnded: (flags & endedBySignal) !== 0 || awaitsKill(pid) }]
}

/** Bytes that a process has asked for to write to, whether it was given them yet or not. */
export function readAskedBytes(pid: number): number {
  return Number(/^VmData:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
}

function awaitsKill(pid: number): boolean {
  const pending = read(`/proc/${pid}/status`).matchAll(/^(?:SigPnd|ShdPnd):\s+([0-9a-f]+)$/gm)
  return [...pending].some(([, mask]) => (BigInt(`0x${mask}`) & killMask) !== 0n)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
