export interface BackoffRules {
  firstMs: number
  longestMs: number
  /** How many times longer each wait is than the one before. */
  factor?: number
}

/** How long to wait after the first, second, third … failure in a row. */
export function backoff(failures: number, { firstMs, longestMs, factor = 2 }: BackoffRules): number {
  return Math.min(longestMs, firstMs * factor ** (failures - 1))
}
