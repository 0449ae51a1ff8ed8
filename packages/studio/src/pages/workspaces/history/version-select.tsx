import { useVersionList } from '../../../data/version.ts'
import { Select, type Choice } from '../../../ui/field/select.tsx'
import { useNow } from '../../../ui/state/use-now.ts'
import { relativeTime } from '../../../words/relative-time.ts'
import { changesTitle } from '../workspace-words.ts'

interface VersionSelectProps {
  id: string
  label: string
  value: number
  last: number
  onChange: (next: number) => void
}

const older = 'older'

/** A version of a workspace, chosen by what it did and when. */
export function VersionSelect({ id, label, value, last, onChange }: VersionSelectProps) {
  const now = useNow(false)
  const { items = [], hasNextPage, fetchNextPage } = useVersionList(id)
  const known: Choice<string>[] = items.map((version) => ({
    value: String(version.number),
    label: `Version ${version.number}${version.number === last ? ' (now)' : ''}${version.tags[0] ? ` · ${version.tags[0]}` : ''}`,
    hint: `${version.message ?? changesTitle(version)} · ${version.author.name} · ${relativeTime(version.at, now)}`,
  }))
  // one that an address names may be older than what is loaded
  const isMissing = value !== 0 && !items.some(({ number }) => number === value)
  const choices = [
    ...known,
    ...(isMissing ? [{ value: String(value), label: `Version ${value}` }] : []),
    ...(hasNextPage ? [{ value: older, label: 'Load older versions…' }] : []),
    { value: '0', label: 'Empty', hint: 'Before the first version' },
  ]
  return (
    <Select
      label={label}
      size="small"
      className="w-44!"
      value={String(value)}
      choices={choices}
      onChange={(next) => (next === older ? void fetchNextPage() : onChange(Number(next)))}
    />
  )
}
