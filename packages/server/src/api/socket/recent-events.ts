import type { BusEvent, EventFeed } from '../../base/index.ts'

interface KeptEvent {
  at: number
  event: BusEvent
}

// longer than a page takes to open
const keptMs = 30_000
const mostKept = 5_000

/** The events of the last half minute: a page that has just asked for its data hears what changed since. */
export function keepRecentEvents(events: EventFeed, now: () => number = () => performance.now()) {
  let kept: KeptEvent[] = []
  let knownSince = now()
  const forgetUntil = (count: number) => {
    knownSince = kept[count - 1]?.at ?? knownSince
    kept = kept.slice(count)
  }
  const unsubscribe = events.subscribe((event) => {
    const at = now()
    kept.push({ at, event })
    if (kept.length > mostKept) forgetUntil(mostKept / 2)
    if (kept[0] && kept[0].at < at - 2 * keptMs) forgetUntil(kept.findIndex((one) => one.at >= at - keptMs))
  })

  return {
    /** What happened in the last `ageMs`; undefined when that is not known any more. */
    since(ageMs: number): BusEvent[] | undefined {
      const from = now() - ageMs
      if (from < knownSince) return undefined
      return kept.flatMap(({ at, event }) => (at >= from ? event : []))
    },
    close: unsubscribe,
  }
}
