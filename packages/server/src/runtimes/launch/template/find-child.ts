import { readFileSync } from 'node:fs'

/** Host pid of the child that `parent` knows by a pid of its own namespace; without `ownPid` the only child there is. */
export function findChild(parent: number, ownPid?: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  // the youngest is the last, and mostly the one that is looked for
  const found = ownPid === undefined ? children[0] : children.findLast((child) => pidInside(child, parent) === ownPid)
  if (found === undefined) throw new Error('The template has no such child')
  return found
}

/** A pid in the namespace of `parent`; a fork that is first in its own has one more number behind that. */
function pidInside(child: number, parent: number): number | undefined {
  const depth = namespacePids(parent).length
  return namespacePids(child)[depth - 1]
}

function namespacePids(pid: number): number[] {
  const line = /^NSpid:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? ''
  return line.split(/\s+/).map(Number)
}
