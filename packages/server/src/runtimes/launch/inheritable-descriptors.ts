import { readdirSync, readFileSync } from 'node:fs'

const closeOnExec = 0o2000000

/** Descriptors, beyond the four the spawner gets of its own, that whoever started the server left open to all children of it. */
export function inheritableDescriptors(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 3 && isInheritable(descriptor))
}

function isInheritable(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0
  } catch {
    // the descriptor that listed the directory is closed by now
    return false
  }
}
