import { inspect } from 'node:util'
import { encodeResult } from '../../../isolate/guest/result.ts'

const maxBytes = 8 * 1024 * 1024

/** The same `display` as in an isolate: a MIME bundle as it is, other values as text and JSON. */
export function createDisplay(send: (data: Record<string, unknown>) => void) {
  const show = (bundle: Record<string, unknown>) => {
    const json = encodeResult(bundle, maxBytes)
    if (json !== undefined) send(JSON.parse(json) as Record<string, unknown>)
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
      png: (bytes: Uint8Array) => show({ 'image/png': Buffer.from(bytes).toString('base64') }),
    },
  )
}

function isBundle(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^[a-z]+\/[\w.+-]+$/.test(key))
}
