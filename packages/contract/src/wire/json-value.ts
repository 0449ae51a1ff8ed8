import { z } from 'zod'
import { findUnstorable, unstorable } from './text.ts'

type Json = z.infer<ReturnType<typeof z.json>>

/** Any JSON, as it came: `z.json()` makes a copy, and drops "__proto__" on the way. */
export const jsonValue = z.unknown().refine(isJson, 'must be JSON') as z.ZodType<Json, Json>

/** Any JSON whose every text and key can be kept. */
export const storableJson = jsonValue.superRefine((value, context) => {
  const path = findUnstorable(value)
  if (path) context.addIssue({ code: 'custom', path, message: unstorable })
})

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return ['string', 'boolean', 'object'].includes(typeof value)
  return Array.isArray(value) ? value.every(isJson) : Object.values(value).every(isJson)
}
