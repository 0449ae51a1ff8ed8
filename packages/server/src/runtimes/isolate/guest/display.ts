import { encodeResult } from './result.ts'

interface DisplayOptions {
  send: (json: string) => void
  maxBytes: number
  inspect: (value: unknown) => string
  encodeBase64: (bytes: Uint8Array) => string
}

/** `display(value)` shows a value richly: a MIME bundle as it is, other values as text and JSON. The same in every JavaScript. */
export function createDisplay({ send, maxBytes, inspect, encodeBase64 }: DisplayOptions) {
  const show = (bundle: Record<string, unknown>) => {
    const json = encodeResult(bundle, maxBytes)
    if (json !== undefined) send(json)
  }
  return Object.assign(
    (value: unknown) => {
      if (isBundle(value)) return show(value)
      if (typeof value === 'string') return show({ 'text/plain': value })
      return show({ 'text/plain': inspect(value), 'application/json': value ?? null })
    },
    {
      html: (text: unknown) => show({ 'text/html': String(text) }),
      markdown: (text: unknown) => show({ 'text/markdown': String(text) }),
      svg: (text: unknown) => show({ 'image/svg+xml': String(text) }),
      json: (value: unknown) => show({ 'application/json': value ?? null, 'text/plain': inspect(value) }),
      png: (bytes: Uint8Array) => show({ 'image/png': encodeBase64(bytes) }),
    },
  )
}

function isBundle(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^[a-z]+\/[\w.+-]+$/.test(key))
}
