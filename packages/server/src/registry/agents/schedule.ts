import type { AgentDefinition, ToolDefinition } from '@coherex/contract'
import { CronExpressionParser } from 'cron-parser'

interface Schedule {
  schedule: string
  timezone?: string | undefined
}

/**
 * The next times a schedule names after a moment. A time that a change of clocks skips comes an hour later, one that it
 * repeats comes once, and what is due every so often goes on every so often.
 */
export function nextFirings({ schedule, timezone = 'UTC' }: Schedule, after: Date, count = 1): Date[] {
  const times = CronExpressionParser.parse(schedule, { tz: timezone, currentDate: after })
  return Array.from({ length: count }, () => times.next().toDate())
}

/** Schedules that can never fire, or that mean something else than they seem to. */
export function refusedSchedules({
  triggers = [],
}: Pick<AgentDefinition | ToolDefinition, 'triggers'>): { path: PropertyKey[]; message: string }[] {
  return triggers.flatMap((trigger, index) => {
    const refused = 'schedule' in trigger ? refuseSchedule(trigger) : undefined
    return refused ? [{ path: ['triggers', index, refused.field], message: refused.message }] : []
  })
}

/** What is wrong with a schedule; undefined when it fires. */
export function refuseSchedule({
  schedule,
  timezone = 'UTC',
}: Schedule): { field: 'schedule' | 'timezone'; message: string } | undefined {
  if (!isTimeZone(timezone)) {
    return { field: 'timezone', message: 'is unknown: use a name such as Europe/Berlin' }
  }
  const message = refuses(schedule, timezone)
  return message === undefined ? undefined : { field: 'schedule', message }
}

function refuses(schedule: string, timezone: string): string | undefined {
  // a sixth field would be seconds: a minute is the shortest there is
  if (schedule.trim().split(/\s+/).length !== 5) {
    return 'must have five fields: minute, hour, day, month and weekday; a minute is the shortest interval'
  }
  // H and # pick a time by chance or by rules of their own
  if (!/^[\d\sA-Za-z*,/?L-]+$/.test(schedule) || /\bH\b/.test(schedule)) return 'is not a cron expression'
  try {
    nextFirings({ schedule, timezone }, new Date(), 2)
    return undefined
  } catch {
    return 'is not a cron expression, or never fires'
  }
}

function isTimeZone(name: string): boolean {
  try {
    // an offset is no zone: it knows no summer time
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
