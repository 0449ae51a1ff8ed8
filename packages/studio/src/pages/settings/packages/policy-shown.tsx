import type { PackagePolicy } from '@coherex/contract'
import { formatMegabytes } from '../../../words/quantity.ts'
import { modes, modeWords } from './policy-words.ts'

/** The rules for those who may not set them. */
export function PolicyShown({ policy }: { policy: PackagePolicy }) {
  const { mode, allow, minimumAgeDays, allowBuilds, maxMb } = policy
  const lines: [string, string][] = [
    ['Packages', `${modes.find(({ value }) => value === mode)?.label}. ${modeWords[mode]}`],
    ...(mode === 'listed' ? [['Allowed', allow.join(', ')] satisfies [string, string]] : []),
    ...(mode === 'none'
      ? []
      : ([
          ['Age of a release', minimumAgeDays === 0 ? 'Any' : `At least ${days(minimumAgeDays)}`],
          ['Size of a set', `At most ${formatMegabytes(maxMb)}`],
          ['Built from source', allowBuilds ? 'Yes, in a sandbox without network' : 'No'],
        ] satisfies [string, string][])),
  ]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-dense max-sm:grid-cols-1 max-sm:gap-y-1">
      {lines.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words max-sm:mb-1.5">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)
