export type Rhythm = 'hour' | 'day' | 'weekday' | 'week' | 'cron'

/** A schedule in cron's words: minute, hour, day, month, weekday. */
export function toCron(
  rhythm: Rhythm,
  { time, weekday, cron }: { time: string; weekday: string; cron: string },
): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  if (rhythm === 'cron') return cron.trim()
  if (rhythm === 'hour') return `${minute} * * * *`
  const days = { day: '*', weekday: '1-5', week: weekday }[rhythm]
  return `${minute} ${hour} * * ${days}`
}
