import { readdirSync, readFileSync } from 'node:fs'

/** Process ids of users from `firstUid` on, seen from outside every sandbox. */
export function livingProcesses(firstUid: number, users = 1): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1])
      // one without memory runs no more: it is on its way out of the kernel, or waits for its parent to notice
      return uid >= firstUid && uid < firstUid + users && /^VmSize:/m.test(status)
    } catch {
      return false // it has ended meanwhile
    }
  })
}
