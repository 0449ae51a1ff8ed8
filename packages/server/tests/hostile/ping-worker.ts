// Asks two servers how they are, again and again, and keeps what one took longer than the other.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { url, pid } = workerData as { url: string; pid: number }
const everyMs = 40
let longest = 0
let pings = 0
let failures = 0

parentPort?.on('message', () => {
  parentPort?.postMessage({ longest, pings, failures })
  longest = pings = failures = 0
})

const control = createServer((_, response) => response.end('{}'))
await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
const controlUrl = `http://127.0.0.1:${(control.address() as AddressInfo).port}/`

for (;;) {
  const waitedBefore = waitedForCpu()
  const [server, own] = await Promise.all([ping(`${url}/healthz`), ping(controlUrl)])
  pings++
  // what the machine kept from us or from the server is not the server's doing
  longest = Math.max(longest, server - own - (waitedForCpu() - waitedBefore))
  await delay(everyMs)
}

async function ping(address: string): Promise<number> {
  const began = performance.now()
  await fetch(address).then(
    (response) => response.text(),
    () => failures++,
  )
  return performance.now() - began
}

/** Milliseconds the server's main thread was ready to run and had no core, since it started. */
function waitedForCpu(): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
