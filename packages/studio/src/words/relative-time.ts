const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How far away a moment is, in few words: `now`, `5 min ago`, `in 3 days`, then the date. */
export function relativeTime(at: string | Date, nowMs: number): string {
  const moment = new Date(at)
  const distance = moment.getTime() - nowMs
  const size = Math.abs(distance)
  if (size < 45_000) return 'now'
  if (size < hour) return inWords(distance, minute, 'min', 'min')
  if (size < day) return inWords(distance, hour, 'hour', 'hours')
  if (size < 14 * day) return inWords(distance, day, 'day', 'days')
  const sameYear = moment.getFullYear() === new Date(nowMs).getFullYear()
  return moment.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  })
}

function inWords(distanceMs: number, unitMs: number, one: string, many: string): string {
  const count = Math.max(1, Math.round(Math.abs(distanceMs) / unitMs))
  const words = `${count} ${count === 1 ? one : many}`
  return distanceMs < 0 ? `${words} ago` : `in ${words}`
}

/** A day and a time, for a sentence such as "works until …". */
export function dayAndTime(at: string | Date): string {
  return new Date(at).toLocaleString('en-GB', { day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' })
}

/** The whole moment in the reader's own time zone. */
export function exactTime(at: string | Date): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  })
}
