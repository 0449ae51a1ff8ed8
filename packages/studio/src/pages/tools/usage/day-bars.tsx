import type { ToolUsage } from '@coherex/contract'

const height = 96

/** Calls of each day as bars, failures at the foot of each. */
export function DayBars({ days }: { days: ToolUsage['byDay'] }) {
  const most = Math.max(1, ...days.map(({ calls }) => calls))
  return (
    <figure className="flex flex-col gap-1">
      <ol aria-label="Calls a day" className="flex items-end gap-px border-b border-line" style={{ height }}>
        {days.map(({ day, calls, failed }) => (
          <li key={day} title={wordsOf(day, calls, failed)} className="flex h-full flex-1 flex-col justify-end">
            <span className="sr-only">{wordsOf(day, calls, failed)}</span>
            <span aria-hidden className="bg-accent" style={{ height: ((calls - failed) / most) * height }} />
            <span aria-hidden className="bg-red" style={{ height: (failed / most) * height }} />
          </li>
        ))}
      </ol>
      <figcaption className="flex justify-between text-small text-muted tabular">
        <span>{days[0]?.day}</span>
        <span>most in a day: {days.length > 0 ? Math.max(...days.map(({ calls }) => calls)) : 0}</span>
        <span>{days.at(-1)?.day}</span>
      </figcaption>
    </figure>
  )
}

function wordsOf(day: string, calls: number, failed: number): string {
  return `${day}: ${calls === 1 ? '1 call' : `${calls} calls`}${failed > 0 ? `, ${failed} failed` : ''}`
}
