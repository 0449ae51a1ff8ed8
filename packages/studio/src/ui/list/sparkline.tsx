interface SparklineProps {
  /** One number a day, oldest first. */
  values: readonly number[]
  /** What is counted, for whoever cannot see it: “12 calls in 14 days”. */
  label: string
}

const width = 72
const height = 18
const gap = 1

/** Numbers of the last days as small bars. */
export function Sparkline({ values, label }: SparklineProps) {
  const most = Math.max(1, ...values)
  const step = width / Math.max(1, values.length)
  return (
    <svg role="img" aria-label={label} width={width} height={height} className="inline-block align-middle">
      <title>{label}</title>
      {values.map((value, day) => {
        const tall = value === 0 ? 1 : Math.max(2, (value / most) * height)
        return (
          <rect
            key={day}
            x={day * step}
            y={height - tall}
            width={step - gap}
            height={tall}
            className={value === 0 ? 'fill-line-strong' : 'fill-accent'}
          />
        )
      })}
    </svg>
  )
}
