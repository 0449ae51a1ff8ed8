import { Worker } from 'node:worker_threads'

export interface EventLoopWatch {
  /** Since the last look: the longest time the server did not answer although it had a core. */
  look(): Promise<{ longest: number; pings: number; failures: number }>
  stop(): Promise<void>
}

/** Watches a server from a thread of its own, so that what the tests do meanwhile is not in the figures. */
export function watchEventLoop({ url, pid }: { url: string; pid: number }): EventLoopWatch {
  const worker = new Worker(new URL('./ping-worker.ts', import.meta.url), {
    workerData: { url, pid },
  })
  return {
    look: () =>
      new Promise((resolve) => {
        worker.once('message', resolve)
        worker.postMessage('look')
      }),
    stop: async () => void (await worker.terminate()),
  }
}
