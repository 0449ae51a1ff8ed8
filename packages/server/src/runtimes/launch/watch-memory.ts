import { readdirSync, readFileSync } from 'node:fs'

const periodMs = 100
const pageBytes = 4096

/** Stands in for a memory control group: looks at the whole process tree every 100 ms. A burst between two looks passes. */
export function watchMemory(rootPid: number, memoryMb: number, onExceeded: () => void) {
  let limitBytes = memoryMb * 1024 * 1024
  let current = 0
  let peak = 0
  let exceeded = false
  const timer = setInterval(() => {
    current = treeOf(rootPid).reduce((sum, member) => sum + residentBytes(member), 0)
    peak = Math.max(peak, current)
    if (current > limitBytes) {
      exceeded = true
      onExceeded()
    }
  }, periodMs)
  timer.unref()
  return {
    memory: () => ({ current, peak }),
    exceeded: () => exceeded,
    limit: (newMemoryMb: number) => void (limitBytes = newMemoryMb * 1024 * 1024),
    stop: () => clearInterval(timer),
  }
}

function treeOf(pid: number): number[] {
  const found = [pid]
  for (const member of found) {
    for (const task of list(`/proc/${member}/task`)) {
      found.push(...read(`/proc/${member}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
    }
  }
  return found
}

function residentBytes(pid: number): number {
  return Number(read(`/proc/${pid}/statm`).split(' ')[1] ?? 0) * pageBytes
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
