import { z } from 'zod'

type Json = z.infer<ReturnType<typeof z.json>>

/** Any JSON, as it came: `z.json()` makes a copy, and drops "__proto__" on the way. */
export const jsonValue = z.unknown().refine(isJson, 'must be JSON') as z.ZodType<Json, Json>

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return ['string', 'boolean', 'object'].includes(typeof value)
  return Array.isArray(value) ? value.every(isJson) : Object.values(value).every(isJson)
}
