import {
  CoherexError,
  readRequirements,
  sameName,
  splitRequirement,
  type PackageLanguage,
  type PackageLock,
} from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId, useRef, useState, type FocusEvent, type KeyboardEvent } from 'react'
import { packageInfoQuery, packageLockQuery, usePackageFetch, type LockFile } from '../../../data/package.ts'
import { lockInShort, LockDetails } from '../../../output/details/lock-details.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Field, useField } from '../../../ui/field/field.tsx'
import { controlClass } from '../../../ui/field/input.tsx'
import { useSettled } from '../../../ui/state/use-settled.ts'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { FetchProgress } from './fetch-progress.tsx'
import { choicesOf, PackageChoices } from './package-choices.tsx'

export interface PackagesFieldProps {
  language: PackageLanguage
  requirements: readonly string[]
  onChange: (requirements: string[]) => void
  /** Whose versions are taken where they fit. */
  lockFile?: LockFile | undefined
  label?: string
  hint?: string | undefined
  className?: string
  /** What was changed is being kept: nothing else is taken until then. */
  isBusy?: boolean
}

const typingPauseMs = 250
const examples: Record<PackageLanguage, string> = { python: 'polars>=1', javascript: 'es-toolkit@1' }

/** Packages of npm or PyPI: a name is typed, versions and sizes are shown, and what it all resolves to. */
export function PackagesField(props: PackagesFieldProps) {
  const { language, requirements, lockFile, label = 'Packages', hint, className, isBusy = false } = props
  const asked = useSettled(requirements.join(' '), typingPauseMs)
  const question = packageLockQuery(language, readRequirements(asked), lockFile)
  const resolved = useQuery({ ...question, enabled: question.enabled && !isBusy })
  const isCurrent = isBusy || (asked === requirements.join(' ') && !resolved.isFetching && !resolved.isPlaceholderData)
  const lock = requirements.length > 0 && !resolved.error ? resolved.data?.lock : undefined
  const fetched = usePackageFetch(isCurrent && !isBusy ? lock : undefined, readRequirements(asked), lockFile)
  const error = requirements.length > 0 && isCurrent ? (resolved.error ?? fetched.error) : null
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1.5', className)}>
      <Field label={label} hint={hint} error={error?.message}>
        <PackageEntry {...props} lock={lock} />
      </Field>
      {error && <WayOut error={error} onRetry={() => void (resolved.error ? resolved : fetched).refetch()} />}
      <p role="status" className={classNames('text-small text-muted', isCurrent && 'sr-only')}>
        {requirements.length > 0 && !isCurrent ? 'Resolving…' : lock && lockInShort(lock)}
      </p>
      <FetchProgress line={fetched.progress} />
      {lock && <LockDetails lock={lock} />}
    </div>
  )
}

/** Beside what the server says: where a rule can be seen, or another try. */
function WayOut({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const code = error instanceof CoherexError ? error.code : 'internal'
  if (code === 'forbidden') {
    return (
      <p className="text-small">
        <TextLink to="/settings/packages">Package rules of the team</TextLink>
      </p>
    )
  }
  if (code === 'invalid_input' || code === 'not_found') return null
  return (
    <Button size="small" className="self-start" onClick={onRetry}>
      Try again
    </Button>
  )
}

interface EntryProps extends PackagesFieldProps {
  lock: PackageLock | undefined
}

/** The packages that are asked for as chips, and the line where the next one is typed. */
function PackageEntry({ language, requirements, onChange, isBusy = false, lock }: EntryProps) {
  const field = useField()
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const { name } = splitRequirement(language, readRequirements(typed)[0] ?? '')
  const sought = useSettled(name, typingPauseMs)
  const info = useQuery({ ...packageInfoQuery(language, sought), enabled: sought !== '' && isOpen })
  const isKnown = sought === name && name !== ''
  const choices = isKnown && info.data ? choicesOf(language, typed.trim(), info.data) : []
  const isListed = isOpen && name !== ''

  function add(text: string) {
    const more = readRequirements(text)
    if (more.length === 0) return
    const names = new Set(more.map((one) => sameName(language, splitRequirement(language, one).name)))
    const others = requirements.filter((one) => !names.has(sameName(language, splitRequirement(language, one).name)))
    onChange([...others, ...more])
    setTyped('')
    setActive(-1)
    setOpen(false)
  }
  function remove(requirement: string) {
    onChange(requirements.filter((one) => one !== requirement))
    input.current?.focus()
  }
  function press(event: KeyboardEvent) {
    if (isBusy) return
    const { key } = event
    if (key === 'Enter' && typed.trim() !== '') {
      // it adds a package, and does not send the form
      event.preventDefault()
      add(choices[active]?.requirement ?? typed)
    } else if (key === 'Escape' && isListed) {
      // closes the list, and not what the field is in
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && choices.length > 0) {
      event.preventDefault()
      setOpen(true)
      const step = key === 'ArrowDown' ? 1 : -1
      setActive((active + step + choices.length + (active < 0 && step < 0 ? 1 : 0)) % choices.length)
    } else if (key === 'Backspace' && typed === '' && requirements.length > 0) {
      const last = requirements.at(-1)
      if (last !== undefined) remove(last)
    }
  }
  function leave(event: FocusEvent) {
    if (event.currentTarget.contains(event.relatedTarget)) return
    // what was typed is meant, with or without Enter
    add(typed)
    setOpen(false)
  }
  return (
    <div className="flex flex-col gap-1" onBlur={leave}>
      <div
        className={classNames(
          controlClass,
          'flex min-h-8 flex-wrap items-center gap-1 px-1 py-0.5 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus max-md:min-h-10',
          field?.invalid && 'border-red!',
        )}
      >
        {requirements.length > 0 && (
          <ul aria-label="Packages asked for" className="contents">
            {requirements.map((requirement) => (
              <PackageChip
                key={requirement}
                language={language}
                requirement={requirement}
                lock={lock}
                isBusy={isBusy}
                onRemove={() => remove(requirement)}
              />
            ))}
          </ul>
        )}
        <input
          ref={input}
          id={field?.id}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isListed}
          aria-controls={listId}
          aria-activedescendant={isListed && active >= 0 ? `${listId}-${active}` : undefined}
          aria-describedby={field?.describedBy}
          aria-invalid={field?.invalid || undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={isBusy}
          aria-busy={isBusy || undefined}
          placeholder={requirements.length === 0 ? examples[language] : undefined}
          className="h-6.5 min-w-24 flex-1 bg-transparent px-1.5 font-mono text-small [font-variant-ligatures:none] outline-none max-md:h-9 max-md:text-lead"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(-1)
            setOpen(true)
          }}
          onKeyDown={press}
        />
      </div>
      {isListed && (
        <PackageChoices
          id={listId}
          language={language}
          name={name}
          info={isKnown ? info : undefined}
          choices={choices}
          active={active}
          onPick={(choice) => {
            add(choice.requirement)
            input.current?.focus()
          }}
        />
      )}
    </div>
  )
}

interface ChipProps {
  language: PackageLanguage
  requirement: string
  lock: PackageLock | undefined
  isBusy: boolean
  onRemove: () => void
}

function PackageChip({ language, requirement, lock, isBusy, onRemove }: ChipProps) {
  const { name } = splitRequirement(language, requirement)
  const version = lock?.packages.find((one) => sameName(language, one.name) === sameName(language, name))?.version
  return (
    <li className="inline-flex h-6.5 max-w-full items-center rounded-sm border border-line-strong bg-sunken pl-2 font-mono text-small [font-variant-ligatures:none] max-md:h-9">
      <span className="truncate">{requirement}</span>
      {version !== undefined && !requirement.endsWith(version) && (
        <span className="ml-1.5 shrink-0 text-muted tabular">{version}</span>
      )}
      <button
        type="button"
        aria-label={`Remove ${name}`}
        aria-disabled={isBusy || undefined}
        onClick={isBusy ? undefined : onRemove}
        className="ml-0.5 flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-text max-md:size-9"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  )
}
