/** Does all of it, a few at a time. After a failure nothing more is begun; what has begun ends first. */
export async function inTurns(atOnce: number, works: (() => Promise<void>)[]): Promise<void> {
  const left = works.values()
  let failure: { error: unknown } | undefined
  const worker = async () => {
    for (const work of left) {
      if (failure) return
      await work().catch((error: unknown) => (failure ??= { error }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (failure) throw (failure as { error: unknown }).error
}
