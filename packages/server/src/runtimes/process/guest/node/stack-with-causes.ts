const deepestCause = 4

/** The stack of an error with those of what caused it, of which its own often says nothing: "fetch failed". */
export function stackWithCauses(error: Error): string {
  const parts = [stackOf(error)]
  for (let { cause } = error; cause !== undefined && parts.length <= deepestCause;) {
    parts.push(stackOf(cause))
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return parts.join('\n[cause]: ')
}

function stackOf(thrown: unknown): string {
  return String((thrown instanceof Error && thrown.stack) || thrown)
}
