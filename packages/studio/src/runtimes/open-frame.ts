import type { Progress } from './browser-session.ts'

const startMs = 60_000

/** A frame without an origin that has said it is there. */
export async function openFrame(address: string, place: HTMLElement = document.body): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe')
  frame.sandbox.add('allow-scripts')
  // a shared page has no origin, and may stand on another site
  frame.src = window.origin === 'null' ? address.replace('/runtimes/', '/runtimes/open/') : address
  frame.title = 'Code of a block'
  if (place === document.body) frame.hidden = true
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const hear = (event: MessageEvent) => {
    if (event.source === frame.contentWindow && event.data === 'coherex-frame') resolve()
  }
  const timer = setTimeout(() => reject(new Error('the frame for its code could not be loaded')), startMs)
  window.addEventListener('message', hear)
  place.append(frame)
  try {
    await promise
  } catch (error) {
    frame.remove()
    throw error
  } finally {
    clearTimeout(timer)
    window.removeEventListener('message', hear)
  }
  return frame
}

interface Loading {
  bytes: number
  onProgress: ((progress: Progress) => void) | undefined
  signal: AbortSignal | undefined
}

/** The files of a runtime from our own server, with how far they are. The frame itself talks to nobody. */
export async function loadParts(
  addresses: string[],
  { bytes: ofBytes, onProgress, signal }: Loading,
): Promise<ArrayBuffer[]> {
  let bytes = 0
  return Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(address, signal ? { signal } : {})
      if (!response.ok || !response.body) throw new Error(`a part of it could not be loaded (${response.status})`)
      const chunks: Uint8Array<ArrayBuffer>[] = []
      for (const reader = response.body.getReader(); ;) {
        const { done, value } = await reader.read()
        if (done) break
        chunks.push(value)
        bytes += value.length
        onProgress?.({ bytes: Math.min(bytes, ofBytes), ofBytes })
      }
      return new Blob(chunks).arrayBuffer()
    }),
  )
}
