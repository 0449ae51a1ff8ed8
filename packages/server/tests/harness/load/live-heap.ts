/** Megabytes that a process started with `--inspect` still uses once its garbage is collected, buffers included. */
export async function readLiveHeap(stderr: string): Promise<number> {
  const [url] = /ws:\/\/127\.0\.0\.1:\S+/.exec(stderr) ?? []
  if (!url) throw new Error('the process has no inspector')
  const socket = new WebSocket(url)
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    waiting.get(id)?.(result)
  })
  const ask = (method: string): Promise<unknown> =>
    new Promise((resolve) => {
      const id = waiting.size + 1
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method }))
    })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  try {
    // twice: what only a finaliser held goes with the second
    for (let round = 0; round < 2; round++) await ask('HeapProfiler.collectGarbage')
    const use = (await ask('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number }
    return (use.usedSize + (use.backingStorageSize ?? 0)) / 1e6
  } finally {
    socket.close()
  }
}
