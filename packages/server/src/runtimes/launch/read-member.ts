import { readFileSync } from 'node:fs'

/** The kernel's PF_SIGNALED: a process that ends because of a signal, until it is gone. */
const endedBySignal = 0x400
/** SIGKILL, in a mask of signals. */
const killMask = 1n << 8n

/** A process of a control group, as its memory is shared out. */
export interface Member {
  pid: number
  /** Never that of another process, as a pid can be. */
  name: string
  pages: number
  /** Where its stack began: the same in a fork, and in nothing that was executed. */
  stack: string
  isBeingEnded: boolean
}

/** A process of a group; none when it is gone. */
export function readMember(pid: number): Member[] {
  // the command, in parentheses, may contain anything
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  const [flags, startedAt, pages] = [fields[6], fields[19], fields[21]].map(Number)
  if (flags === undefined || startedAt === undefined || pages === undefined || Number.isNaN(flags)) return []
  const stack = fields[25] ?? ''
  return [
    { pid, name: `${pid}.${startedAt}`, pages, stack, isBeingEnded: (flags & endedBySignal) !== 0 || awaitsKill(pid) },
  ]
}

/** Bytes that a process has asked for to write to, whether it was given them yet or not. */
export function readAskedBytes(pid: number): number {
  return Number(/^VmData:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024
}

/** What the innermost namespace of a process calls it. */
export function readPidInside(pid: number): number {
  return Number(/^NSpid:.*\s(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1])
}

/** CPU time that a process has used, in steps of ten milliseconds; 0 when it is gone. */
export function readCpuMs(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
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
