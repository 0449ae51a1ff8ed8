import type { AuditQuery } from '../../../data/access/audit.ts'

/** The filters of the audit log as they stand in the address. */
export interface AuditFilters {
  search?: string
  /** An action such as `member.remove`, or its noun. */
  action?: string
  actorId?: string
  /** Days of the reader's own calendar, both included: `2026-11-15`. */
  from?: string
  to?: string
  /** The event whose details are open. */
  event?: string
}

const texts = ['search', 'action', 'actorId', 'event'] as const
const days = ['from', 'to'] as const

/** What of an address can be a filter; the rest is ignored. */
export function parseAuditFilters(address: Record<string, unknown>): AuditFilters {
  const filters: AuditFilters = {}
  for (const name of texts) {
    const value = address[name]
    if ((typeof value === 'string' || typeof value === 'number') && value !== '') filters[name] = String(value)
  }
  for (const name of days) {
    const value = address[name]
    if (typeof value === 'string' && startOfDay(value)) filters[name] = value
  }
  return filters
}

/** The filters as the API wants them: days become moments. */
export function toAuditQuery({ search, action, actorId, from, to }: AuditFilters): AuditQuery {
  const start = from && startOfDay(from)
  const end = to && startOfDay(to)
  return {
    ...(search ? { search } : {}),
    ...(action ? { action } : {}),
    ...(actorId ? { actorId } : {}),
    ...(start ? { from: start.toISOString() } : {}),
    ...(end ? { to: endOfDay(end).toISOString() } : {}),
  }
}

/** The last days up to today, as filters. */
export function lastDays(count: number, now: Date): Pick<AuditFilters, 'from' | 'to'> {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - count + 1)
  return { from: dayOf(first), to: dayOf(now) }
}

export function hasFilters({ search, action, actorId, from, to }: AuditFilters): boolean {
  return Boolean(search ?? action ?? actorId ?? from ?? to)
}

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function startOfDay(day: string): Date | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)?.slice(1).map(Number)
  if (!parts) return undefined
  const date = new Date(parts[0] ?? 0, (parts[1] ?? 1) - 1, parts[2])
  // a 31 February would silently become a day in March
  return dayOf(date) === day ? date : undefined
}

function endOfDay(start: Date): Date {
  return new Date(new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1).getTime() - 1)
}
