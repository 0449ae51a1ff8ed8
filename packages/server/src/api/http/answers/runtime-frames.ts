import { createHash } from 'node:crypto'
import type { Hono } from 'hono'
import type { Env } from '../requests/request-context.ts'

// a policy decides on requests; these speak to hosts without any
const noPeers = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete globalThis[name]`

/**
 * Starts a worker from text that the studio hands over, and tells that the frame is still there. The mark is an address of an empty script
 * that a busy worker can load as long as it is not asked to stop: nothing else can be told to one without shared memory.
 */
const workerScript = `addEventListener('message', ({ source, data, ports: [control, port] }) => {
  if (source !== parent) return
  const worker = new Worker(URL.createObjectURL(new Blob([data.source], { type: 'text/javascript' })))
  let mark
  const renew = () => {
    mark = URL.createObjectURL(new Blob([], { type: 'text/javascript' }))
    control.postMessage({ type: 'mark', mark })
  }
  renew()
  worker.onerror = ({ message }) => control.postMessage({ type: 'broken', message })
  worker.postMessage({ port, assets: data.assets }, [port, ...Object.values(data.assets)])
  control.onmessage = ({ data }) => {
    if (data !== 'interrupt') return control.postMessage({ type: 'here' })
    URL.revokeObjectURL(mark)
    renew()
  }
}, { once: true })
parent.postMessage('coherex-frame', '*')`

/** Runs a script in the page itself, for what draws: it gets the rest of the message as `coherexDrawing`. */
const pageScript = `${noPeers}
addEventListener('message', ({ source, data, ports: [port] }) => {
  if (source !== parent) return
  globalThis.coherexDrawing = { ...data, port }
  const script = document.createElement('script')
  script.src = URL.createObjectURL(new Blob([data.source], { type: 'text/javascript' }))
  document.body.append(script)
}, { once: true })
parent.postMessage('coherex-frame', '*')`

/** Becomes the page that it is handed: a view of a tool, which talks to the studio around it. */
const appScript = `${noPeers}
addEventListener('message', ({ source, data }) => {
  if (source !== parent) return
  document.open()
  document.write(data.html)
  document.close()
}, { once: true })
parent.postMessage('coherex-frame', '*')`

const pageOf = (script: string) =>
  `<!doctype html><meta charset="utf-8"><title>Coherex</title><body><script>${script}</script>`
const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

const around = "webrtc 'block'; sandbox allow-scripts; base-uri 'none'; form-action 'none'"

interface RuntimeFrame {
  page: string
  policy: string
  /** Shared pages have no origin, and embeds stand on other sites: no list could name who holds their frames. */
  isForAll: boolean
}

const frames: Record<string, { page: string; policy: string }> = {
  worker: {
    page: pageOf(workerScript),
    policy: `default-src 'none'; script-src ${hashOf(workerScript)} blob: 'unsafe-eval' 'wasm-unsafe-eval'; worker-src blob:; ${around}`,
  },
  page: {
    page: pageOf(pageScript),
    policy: `default-src 'none'; script-src ${hashOf(pageScript)} blob: 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; worker-src 'none'; ${around}`,
  },
  // pages that people wrote: their scripts stand in the page itself
  preview: {
    page: pageOf(pageScript),
    policy: `default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; worker-src 'none'; ${around}`,
  },
  // a view is all in its page: addresses that it asks for are not opened to it
  app: {
    page: pageOf(appScript),
    policy: `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data:; ${around}`,
  },
}

/** Frames that run code of messages, or show views of tools, in a browser: of no origin, without a network, each with the policy it needs. */
export const runtimeFrames: Record<string, RuntimeFrame> = Object.fromEntries(
  Object.entries(frames).flatMap(([name, { page, policy }]): [string, RuntimeFrame][] => [
    [`/runtimes/${name}`, { page, policy: `${policy}; frame-ancestors 'self'`, isForAll: false }],
    [`/runtimes/open/${name}`, { page, policy, isForAll: true }],
  ]),
)

export function mountRuntimeFrames(app: Hono<Env>): void {
  for (const [path, { page }] of Object.entries(runtimeFrames)) {
    app.get(path, (context) => context.html(page, 200, { 'cache-control': 'no-cache' }))
  }
}
