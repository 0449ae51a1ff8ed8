import type { Price } from './catalogue.ts'

/** Tokens of one or many model calls. */
export interface TokenUse {
  input: number
  /** The part of `input` that the provider had read before. */
  cachedInput: number
  output: number
}

export const noTokens: TokenUse = { input: 0, cachedInput: 0, output: 0 }

export function addTokens(a: TokenUse, b: TokenUse): TokenUse {
  return { input: a.input + b.input, cachedInput: a.cachedInput + b.cachedInput, output: a.output + b.output }
}

/** US dollars, or null where nobody knows the price. */
export function costOf({ input, cachedInput, output }: TokenUse, price: Price | undefined): number | null {
  if (!price) return null
  const fresh = Math.max(0, input - cachedInput)
  const cached = Math.min(cachedInput, input)
  return (fresh * price.input + cached * (price.cachedInput ?? price.input) + output * price.output) / 1_000_000
}
