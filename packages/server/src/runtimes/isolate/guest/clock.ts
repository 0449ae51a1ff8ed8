// Fine clocks are what timing attacks are made of: every clock of the guest ticks in these steps.
export const tickMs = 2

const realDate = Date
const realNow = Date.now
const round = Math.floor

export function now(): number {
  return round(realNow() / tickMs) * tickMs
}

export const CoarseDate = new Proxy(realDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new realDate(now()).toString(),
})

/** Puts the coarse Date in the place of the fine one. */
export function coarsenDate(realm: Record<string, unknown>): void {
  Object.defineProperty(realDate, 'now', { value: now, writable: true, configurable: true })
  // the prototype must not lead back to the fine constructor
  Object.defineProperty(realDate.prototype, 'constructor', { value: CoarseDate, writable: true, configurable: true })
  define(realm, 'Date', CoarseDate)
}

/** The same for Temporal, which V8 adds to each context after the snapshot. */
export function coarsenTemporal(realm: Record<string, unknown>): void {
  const temporal = realm['Temporal'] as TemporalLike | undefined
  if (!temporal) return
  const instant = () => temporal.Instant.fromEpochMilliseconds(now())
  const zone = temporal.Now.timeZoneId.bind(temporal.Now)
  const zoned = (timeZone: unknown = zone()) => instant().toZonedDateTimeISO(timeZone)
  define(temporal.Now, 'instant', instant)
  define(temporal.Now, 'zonedDateTimeISO', zoned)
  define(temporal.Now, 'plainDateTimeISO', (timeZone?: unknown) => zoned(timeZone).toPlainDateTime())
  define(temporal.Now, 'plainDateISO', (timeZone?: unknown) => zoned(timeZone).toPlainDate())
  define(temporal.Now, 'plainTimeISO', (timeZone?: unknown) => zoned(timeZone).toPlainTime())
}

interface TemporalLike {
  Instant: { fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(timeZone: unknown): ZonedLike } }
  Now: { timeZoneId(): string }
}

interface ZonedLike {
  toPlainDateTime(): unknown
  toPlainDate(): unknown
  toPlainTime(): unknown
}

export function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, configurable: true, enumerable: false })
}

/** performance: now, timeOrigin, mark and measure, on the coarse clock. */
export function createPerformance() {
  let origin = now()
  const entries: { name: string; entryType: string; startTime: number; duration: number }[] = []
  const add = (name: string, entryType: string, startTime: number, duration: number) => {
    const entry = { name, entryType, startTime, duration }
    if (entries.length < 1000) entries.push(entry)
    return entry
  }
  const performance = {
    get timeOrigin() {
      return origin
    },
    now: () => now() - origin,
    mark: (name: string) => add(String(name), 'mark', performance.now(), 0),
    measure: (name: string, from?: string, to?: string) => {
      const at = (mark: string | undefined, otherwise: number) =>
        entries.findLast((entry) => entry.name === mark)?.startTime ?? otherwise
      const began = at(from, 0)
      return add(String(name), 'measure', began, at(to, performance.now()) - began)
    },
    getEntries: () => [...entries],
    getEntriesByName: (name: string) => entries.filter((entry) => entry.name === name),
    getEntriesByType: (type: string) => entries.filter((entry) => entry.entryType === type),
    clearMarks: () => void entries.splice(0),
    clearMeasures: () => void entries.splice(0),
    toJSON: () => ({ timeOrigin: origin }),
  }
  const restart = () => {
    origin = now()
  }
  return { performance, restart }
}
