import {
  CoherexError,
  exactly,
  formatBytes,
  splitRequirement,
  type PackageInfo,
  type PackageLanguage,
} from '@coherex/contract'
import { useEffect, useRef } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { Time } from '../../../ui/text/time.tsx'

interface PackageChoice {
  requirement: string
  label: string
  publishedAt: string | null
  size: number | null
}

const mostVersions = 8
const registries: Record<PackageLanguage, string> = { python: 'PyPI', javascript: 'npm' }

/** What can be added of a package: what is typed, and versions that begin as it does. */
export function choicesOf(language: PackageLanguage, typed: string, { name, versions }: PackageInfo): PackageChoice[] {
  const { range } = splitRequirement(language, typed)
  const wanted = /\d[\w.]*$/.exec(range)?.[0] ?? ''
  const [newest] = versions
  const asTyped: PackageChoice =
    range === ''
      ? {
          requirement: name,
          label: newest ? `Newest, ${newest.version} now` : 'Newest',
          publishedAt: newest?.publishedAt ?? null,
          size: newest?.size ?? null,
        }
      : { requirement: typed, label: typed, publishedAt: null, size: null }
  const exact = versions
    .filter(({ version }) => version.startsWith(wanted))
    .slice(0, mostVersions)
    .map(({ version, publishedAt, size }) => ({
      requirement: exactly(language, name, version),
      label: version,
      publishedAt,
      size,
    }))
  return [asTyped, ...exact.filter(({ requirement }) => requirement !== typed)]
}

interface PackageChoicesProps {
  id: string
  language: PackageLanguage
  name: string
  /** Undefined while typing goes on. */
  info: { data: PackageInfo | undefined; error: Error | null } | undefined
  choices: readonly PackageChoice[]
  active: number
  onPick: (choice: PackageChoice) => void
}

/** Versions and sizes of the package that is being typed. */
export function PackageChoices({ id, language, name, info, choices, active, onPick }: PackageChoicesProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const word = info?.error ? refusal(info.error, language, name) : info?.data ? info.data.summary : 'Looking it up…'
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface text-small">
      <p role="status" className="line-clamp-2 px-2.5 py-1.5 text-muted">
        {word || 'No description'}
      </p>
      <ul
        ref={list}
        id={id}
        role="listbox"
        aria-label={`Versions of ${name}`}
        className={classNames('max-h-44 overflow-y-auto', choices.length > 0 && 'border-t border-line py-1')}
      >
        {choices.map((choice, index) => (
          <li
            key={choice.requirement}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // the field keeps the focus
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(choice)}
            className={classNames(
              'flex cursor-default items-baseline gap-3 px-2.5 py-1 max-md:py-2',
              index === active ? 'bg-pressed' : 'hover:bg-hover',
            )}
          >
            <span className="min-w-0 flex-1 truncate font-mono">{choice.label}</span>
            {choice.publishedAt && (
              <span className="text-muted max-sm:hidden">
                <Time at={choice.publishedAt} />
              </span>
            )}
            <span className="w-16 shrink-0 text-right text-muted tabular">
              {choice.size === null ? '' : formatBytes(choice.size)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function refusal(error: Error, language: PackageLanguage, name: string): string {
  const isMissing = error instanceof CoherexError && error.code === 'not_found'
  return isMissing ? `${registries[language]} has no package called ${name}. Check the spelling.` : error.message
}
