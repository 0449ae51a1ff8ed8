import { readdirSync, readFileSync } from 'node:fs'

/** What the scheduler knows of a thread, in milliseconds: how long it ran, and how long it was ready and had no core. */
interface CoreTime {
  ran: number
  waited: number
}

/** Of a thread or process by its folder below /proc; nothing where there is none any more, or no scheduler that tells. */
export function readCoreTime(folder: string): CoreTime {
  try {
    const [ran = 0, waited = 0] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ').map(Number)
    return { ran: ran / 1e6, waited: waited / 1e6 }
  } catch {
    return { ran: 0, waited: 0 }
  }
}

/** How long each thread of processes was ready and had no core. */
export function waitsOf(processes: (number | 'self')[]): Map<string, number> {
  return new Map(processes.flatMap(threadsOf).map((thread) => [thread, readCoreTime(thread).waited]))
}

/** What threads waited between two looks, one after the other in all. Of those that ended, nothing is known any more. */
export function waitedSince(before: Map<string, number>, now: Map<string, number>): number {
  return [...now].reduce((all, [thread, waited]) => all + Math.max(0, waited - (before.get(thread) ?? 0)), 0)
}

/** The same for a stretch of time, in which threads may come and end. */
export function watchWaits(processes: (number | 'self')[]): { stop(): number } {
  const before = waitsOf(processes)
  const seen = new Map(before)
  const look = () =>
    // one that ends while it is looked at has waited for nothing
    waitsOf(processes).forEach((waited, thread) => seen.set(thread, Math.max(waited, seen.get(thread) ?? 0)))
  const timer = setInterval(look, 10)
  return {
    stop() {
      clearInterval(timer)
      look()
      return waitedSince(before, seen)
    },
  }
}

function threadsOf(id: number | 'self'): string[] {
  try {
    return readdirSync(`/proc/${id}/task`).map((thread) => `/proc/${id}/task/${thread}`)
  } catch {
    return [] // it has ended
  }
}

/**
 * What a thread held up in a stretch of time by its own doing. All of its own work counts, however long that took on the
 * clock. What it did not work it waited: for a core, which is the machine's doing; or for something else, such as a file,
 * a lock or a timer, which is its own. Not its own is a wait for a helper that had no core (a thread that collects
 * garbage, a process until its program is loaded): as much as helpers waited for cores is forgiven, and no more.
 */
export function ownTime(stretch: { passed: number; thread: CoreTime; helpersWaited: number }): number {
  const { passed, thread, helpersWaited } = stretch
  return thread.ran + Math.max(0, passed - thread.ran - thread.waited - helpersWaited)
}
