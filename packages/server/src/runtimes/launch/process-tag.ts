import { readFileSync } from 'node:fs'

/** Names a process beyond the reuse of its pid: pid and start time, as in `1234.56789`. */
export function processTag(pid: number): string {
  return `${pid}.${startTime(pid) ?? 0}`
}

export function isAlive(tag: string): boolean {
  const [pid, started] = tag.split('.')
  return startTime(Number(pid)) === Number(started)
}

function startTime(pid: number): number | undefined {
  try {
    // the command, in parentheses, may contain anything; start time is the 20th field after it
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
  } catch {
    return undefined
  }
}
