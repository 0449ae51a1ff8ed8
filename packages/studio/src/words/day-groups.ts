const day = 24 * 60 * 60_000

/** Which part of a list a moment belongs to: Today, Yesterday, Last 7 days, then its month. */
export function dayGroupOf(at: string | Date, nowMs: number): string {
  const moment = new Date(at)
  const now = new Date(nowMs)
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  if (moment >= today) return 'Today'
  // by the calendar: a day of the clock's change has not 24 hours
  if (moment >= new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)) return 'Yesterday'
  if (moment.getTime() >= today.getTime() - 7 * day) return 'Last 7 days'
  return moment.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' })
}
