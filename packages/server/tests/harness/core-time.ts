import { readdirSync, readFileSync } from 'node:fs'

/** What the scheduler knows of a thread, in milliseconds: how long it ran, and how long it was ready and had no core. */
export interface CoreTime {
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

/** How long the threads of processes were ready and had no core, one after the other in all. */
export function waitedForCores(processes: (number | 'self')[]): number {
  let all = 0
  for (const id of processes) for (const thread of threadsOf(id)) all += readCoreTime(thread).waited
  return all
}

/** The folder of the main thread is the first. */
export function threadsOf(id: number | 'self'): string[] {
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
