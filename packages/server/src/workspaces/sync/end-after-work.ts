import type { Worker } from 'node:worker_threads'

// a thread that gets next to no core, or cannot be asked, is given up all the same
const mostTimes = 10

/** Calls `end` once a thread has computed for so long, which on a busy machine takes longer. Answers how to call it off. */
export function endAfterWork(worker: Worker, { workMs, end }: { workMs: number; end(): void }): () => void {
  let isOver = false
  const finish = () => {
    if (isOver) return
    callOff()
    end()
  }
  const before = cpuMsOf(worker)
  const look = async () => {
    const leftMs = workMs - ((await cpuMsOf(worker)) - (await before))
    if (leftMs < 1) finish()
    else if (!isOver) next = setTimeout(look, leftMs)
  }
  let next = setTimeout(look, workMs)
  const last = setTimeout(finish, workMs * mostTimes)
  const callOff = () => {
    isOver = true
    clearTimeout(next)
    clearTimeout(last)
  }
  return callOff
}

async function cpuMsOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return 0 // it has ended, and whoever waits for it hears of that
  }
}
