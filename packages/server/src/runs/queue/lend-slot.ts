import type { Capabilities, CapabilityMethod } from '../../capabilities/index.ts'

/** Gives a run's slot away while it waits for what it called: that may need one itself, and there may be no other. */
export function lendSlot(capabilities: Capabilities, slot: { rest(): void; wake(): void }): Capabilities {
  let underWay = 0
  const lending =
    (method: CapabilityMethod): CapabilityMethod =>
    async (...call) => {
      if (underWay++ === 0) slot.rest()
      try {
        return await method(...call)
      } finally {
        if (--underWay === 0) slot.wake()
      }
    }
  const lend = (methods: Record<string, CapabilityMethod>) =>
    Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, lending(method)]))
  return Object.fromEntries(
    Object.entries(capabilities).map(([name, one]) => [name, { ...one, methods: lend(one.methods) }]),
  )
}
