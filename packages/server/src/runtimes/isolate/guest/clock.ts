// Fine clocks are what timing attacks are made of: every clock of the guest ticks in these steps.
export const tickMs = 2

const realDate = Date
const realNow = Date.now
const round = Math.floor

let fixedNow: number | undefined

/** From here on time passes only when it is told. */
export function fixNow(ms: number): void {
  fixedNow = ms
}

export function now(): number {
  return fixedNow ?? round(realNow() / tickMs) * tickMs
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

/**
 * The same for Temporal. V8 adds it to each context after the snapshot and makes it when it is touched, which takes longer than
 * many a program: so the global is taken away untouched, and whoever asks for it gets one with the same classes.
 */
export function coarsenTemporal(realm: Record<string, unknown>, defineLazily: DefineLazily): void {
  if (delete realm['Temporal'] && 'toTemporalInstant' in realDate.prototype) {
    defineLazily(realm, 'Temporal', createTemporal)
  }
}

type DefineLazily = (realm: Record<string, unknown>, name: string, make: () => unknown) => void

function createTemporal(): object {
  const start = (new realDate(0) as unknown as TemporalDate).toTemporalInstant()
  const zoned = start.toZonedDateTimeISO('UTC')
  const date = zoned.toPlainDate()
  const samples = {
    PlainDate: date,
    PlainTime: zoned.toPlainTime(),
    PlainDateTime: zoned.toPlainDateTime(),
    ZonedDateTime: zoned,
    Duration: date.until(date),
    Instant: start,
    PlainYearMonth: date.toPlainYearMonth(),
    PlainMonthDay: date.toPlainMonthDay(),
  }
  const { fromEpochMilliseconds } = start.constructor
  const instant = () => fromEpochMilliseconds(now())
  const zone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
  const here = (timeZone: unknown = zone()) => instant().toZonedDateTimeISO(timeZone)
  const clock = {
    timeZoneId: () => zone(),
    instant: () => instant(),
    plainDateTimeISO: (timeZone?: unknown) => here(timeZone).toPlainDateTime(),
    zonedDateTimeISO: (timeZone?: unknown) => here(timeZone),
    plainDateISO: (timeZone?: unknown) => here(timeZone).toPlainDate(),
    plainTimeISO: (timeZone?: unknown) => here(timeZone).toPlainTime(),
  }
  return tagged('Temporal', {
    Now: tagged('Temporal.Now', clock),
    ...Object.fromEntries(Object.entries(samples).map(([name, sample]) => [name, sample.constructor])),
  })
}

function tagged(tag: string, values: Record<string, unknown>): object {
  const target = {}
  for (const [name, value] of Object.entries(values)) define(target, name, value)
  return Object.defineProperty(target, Symbol.toStringTag, { value: tag, configurable: true })
}

interface TemporalDate {
  toTemporalInstant(): InstantLike
}

interface InstantLike {
  constructor: { fromEpochMilliseconds(ms: number): InstantLike }
  toZonedDateTimeISO(timeZone: unknown): ZonedLike
}

interface ZonedLike {
  toPlainDateTime(): object
  toPlainDate(): { until(other: object): object; toPlainYearMonth(): object; toPlainMonthDay(): object }
  toPlainTime(): object
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
