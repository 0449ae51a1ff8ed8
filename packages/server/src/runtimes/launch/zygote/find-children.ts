import { readFileSync } from 'node:fs'

/** Host pid of the only child there is. */
export function findOnlyChild(parent: number): number {
  return present(childrenOf(parent)[0])
}

/** Host pids of the children that `parent` knows by these pids of its own namespace. */
export function findChildren(parent: number, ownPids: readonly number[]): number[] {
  const depth = namespacePids(parent).length
  const children = childrenOf(parent)
  const found = new Map<number | undefined, number>()
  // the youngest are the last, and mostly those that are looked for
  for (let at = children.length - 1; at >= 0 && !ownPids.every((pid) => found.has(pid)); at--) {
    const child = children[at] ?? 0
    // a child that is first in a namespace of its own has one more number behind that
    found.set(namespacePids(child)[depth - 1], child)
  }
  return ownPids.map((pid) => present(found.get(pid)))
}

function childrenOf(parent: number): number[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function namespacePids(pid: number): number[] {
  return /^NSpid:\s+(.*)$/m.exec(readStatus(pid))?.[1]?.split(/\s+/).map(Number) ?? []
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return '' // another guest, which has ended meanwhile
  }
}

function present(pid: number | undefined): number {
  if (pid === undefined) throw new Error('The zygote has no such child')
  return pid
}
