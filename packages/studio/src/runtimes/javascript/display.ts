import { inspect, toJson } from '../inspect.ts'

type Show = (data: Record<string, unknown>) => void

/** `display(value)` as JavaScript on the server has it: a MIME bundle as it is, other values as text and JSON. */
export function createDisplay(show: Show) {
  const showValue = (value: unknown) => {
    const json = toJson(value)
    show({ 'text/plain': inspect(value), ...(json !== undefined && { 'application/json': json }) })
  }
  return Object.assign(
    (value: unknown) => {
      if (typeof value === 'string') return show({ 'text/plain': value })
      return isBundle(value) ? show(value) : showValue(value)
    },
    {
      html: (text: unknown) => show({ 'text/html': String(text) }),
      markdown: (text: unknown) => show({ 'text/markdown': String(text) }),
      svg: (text: unknown) => show({ 'image/svg+xml': String(text) }),
      json: showValue,
      png: (bytes: Uint8Array) =>
        show({ 'image/png': btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join('')) }),
    },
  )
}

function isBundle(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^[a-z]+\/[\w.+-]+$/.test(key))
}
