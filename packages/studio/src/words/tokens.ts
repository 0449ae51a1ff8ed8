import type { Use } from '@coherex/contract'
import { formatNumber } from './quantity.ts'

/** Tokens in few letters: `840`, `12.4k`, `1.2M`. */
export function formatTokens(count: number): string {
  if (count < 1_000) return String(count)
  if (count < 999_500) return `${formatNumber(Math.round(count / 100) / 10)}k`
  return `${formatNumber(Math.round(count / 100_000) / 10)}M`
}

/** What model calls cost; small sums keep two digits that count. */
export function formatCost(dollars: number | null): string {
  if (dollars === null) return 'cost unknown'
  if (dollars === 0) return '$0'
  if (dollars < 0.0001) return '< $0.0001'
  return `$${dollars.toFixed(dollars < 0.01 ? 4 : dollars < 1 ? 3 : 2)}`
}

/** The cost as a part of a line, where it is known: nobody needs to read under every answer that it is not. */
export function knownCost(dollars: number | null): string[] {
  return dollars === null ? [] : [formatCost(dollars)]
}

export function addUse(uses: readonly Use[]): Use {
  return uses.reduce(
    (sum, use) => ({
      inputTokens: sum.inputTokens + use.inputTokens,
      cachedInputTokens: sum.cachedInputTokens + use.cachedInputTokens,
      outputTokens: sum.outputTokens + use.outputTokens,
      // a sum with something unknown in it is unknown
      costUsd: sum.costUsd === null || use.costUsd === null ? null : sum.costUsd + use.costUsd,
    }),
    { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 },
  )
}
