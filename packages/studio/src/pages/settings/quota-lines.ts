import { formatDuration, type Quotas } from '@coherex/contract'
import { formatDollars, formatMegabytes, formatNumber } from '../../words/quantity.ts'

interface QuotaLine {
  name: keyof Quotas
  label: string
  hint: string
  /** The unit of the field in which an operator sets it. */
  unit: string
  step: number
  format: (value: number) => string
}

export const quotaLines: readonly QuotaLine[] = [
  {
    name: 'runsAtOnce',
    label: 'Runs at once',
    hint: 'More wait in the queue.',
    unit: 'runs',
    step: 1,
    format: formatNumber,
  },
  {
    name: 'runSecondsPerDay',
    label: 'Run time per day',
    hint: 'Counted from midnight UTC.',
    unit: 'seconds',
    step: 1,
    format: (seconds) => (seconds === 0 ? '0 s' : formatDuration(seconds * 1000)),
  },
  {
    name: 'storageMb',
    label: 'Storage',
    hint: 'Files of runs and workspaces.',
    unit: 'MB',
    step: 1,
    format: formatMegabytes,
  },
  {
    name: 'sandboxesAtOnce',
    label: 'Sandboxes at once',
    hint: 'Those that are awake.',
    unit: 'sandboxes',
    step: 1,
    format: formatNumber,
  },
  {
    name: 'sandboxMemoryMb',
    label: 'Memory of sandboxes',
    hint: 'What those that are awake may have together.',
    unit: 'MB',
    step: 1,
    format: formatMegabytes,
  },
  {
    name: 'turnsAtOnce',
    label: 'Turns of agents at once',
    hint: 'More wait in the queue.',
    unit: 'turns',
    step: 1,
    format: formatNumber,
  },
  {
    name: 'turnsPerPerson',
    label: 'Turns of a person at once',
    hint: 'More wait in the queue.',
    unit: 'turns',
    step: 1,
    format: formatNumber,
  },
  { name: 'members', label: 'Members', hint: 'People in the team.', unit: 'people', step: 1, format: formatNumber },
  {
    name: 'spendUsdPerMonth',
    label: 'Spend per month',
    hint: 'What models cost the team, as far as their prices are known. Counted from the first, UTC.',
    unit: 'US dollars',
    step: 0.01,
    format: formatDollars,
  },
  {
    name: 'inlineHelpUsdPerPerson',
    label: 'Help in the editor for each person',
    hint: 'What suggestions and answers in the editor may cost one person a month. It counts in the spend of the team.',
    unit: 'US dollars',
    step: 0.01,
    format: formatDollars,
  },
]

/** How the team stands, in a few words: the limit it is closest to, once it is close to one. */
export function closestQuota({ limits, used }: { limits: Quotas; used: Record<string, number> }): string {
  const [closest] = quotaLines
    .map(({ name, label }) => ({ label, share: (used[name] ?? 0) / Math.max(limits[name], 1) }))
    .sort((a, b) => b.share - a.share)
  return closest && closest.share >= 0.8 ? `${closest.label}: ${Math.round(closest.share * 100)} %` : 'within limits'
}
