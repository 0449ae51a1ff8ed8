import { readdirSync, readFileSync } from 'node:fs'

/** The processes that another one started and that still live, and when, in milliseconds since the machine was started. */
export function childrenOf(parent: number): { id: number; startedAt: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    // what follows the name in brackets: state, parent, … and as the twentieth the start in hundredths of a second
    const after = readStat(name).split(') ').at(-1)?.split(' ') ?? []
    return Number(after[1]) === parent ? [{ id: Number(name), startedAt: Number(after[19]) * 10 }] : []
  })
}

function readStat(id: string): string {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8')
  } catch {
    return '' // it has ended
  }
}
