import { Meter as Base } from '@base-ui/react/meter'
import { classNames } from './class-names.ts'

interface MeterProps {
  label: string
  value: number
  max: number
  /** The figures in words, such as `3 of 16`. */
  text: string
}

/** How much of a limit is used. Near the limit it says so in colour and in words. */
export function Meter({ label, value, max, text }: MeterProps) {
  const share = max > 0 ? value / max : value > 0 ? 1 : 0
  const level = share >= 1 ? 'full' : share >= 0.8 ? 'near' : 'fine'
  return (
    <Base.Root
      value={Math.min(value, max)}
      max={max > 0 ? max : 1}
      getAriaValueText={() => text}
      aria-label={label}
      className="w-full"
    >
      <Base.Track className="block h-1.5 overflow-hidden rounded-full bg-grey-soft">
        <Base.Indicator
          className={classNames(
            'block h-full rounded-full transition-[width]',
            { fine: 'bg-accent', near: 'bg-amber', full: 'bg-red' }[level],
          )}
        />
      </Base.Track>
      {level !== 'fine' && (
        <span className={classNames('mt-1 block text-small', level === 'full' ? 'text-red' : 'text-amber')}>
          {level === 'full' ? 'Limit reached' : 'Close to the limit'}
        </span>
      )}
    </Base.Root>
  )
}
