/** Numbers handed out lowest first and used again after release. */
export interface Slots {
  take(): number | undefined
  release(slot: number): void
}

export function createSlots(count: number): Slots {
  const taken = new Set<number>()
  return {
    take() {
      for (let slot = 0; slot < count; slot++) {
        if (taken.has(slot)) continue
        taken.add(slot)
        return slot
      }
      return undefined
    },
    release: (slot) => void taken.delete(slot),
  }
}
