import { CircleAlert, CircleCheck } from 'lucide-react'

interface DefinitionStatusProps {
  /** Undefined while it is checked. */
  problems: number | undefined
  isChanged: boolean
  /** 0 for one that came with Coherex; none when it is not stored. */
  version: number | undefined
  /** The file in sight. */
  path?: string | undefined
  facts?: string | undefined
}

/** The line below a definition: whether it is valid and saved, and what it was used for. */
export function DefinitionStatus({ problems, isChanged, version, path, facts }: DefinitionStatusProps) {
  return (
    <>
      {problems !== undefined && (
        <span className="flex items-center gap-1.5">
          {problems === 0 ? (
            <>
              <CircleCheck aria-hidden className="size-3.5 text-green" /> Valid
            </>
          ) : (
            <>
              <CircleAlert aria-hidden className="size-3.5 text-red" />
              {problems === 1 ? '1 problem' : `${problems} problems`}
            </>
          )}
        </span>
      )}
      <span>{savedWords(isChanged, version)}</span>
      {path && <span className="min-w-0 truncate">{path}</span>}
      {facts && <span className="ml-auto truncate max-sm:hidden">{facts}</span>}
    </>
  )
}

function savedWords(isChanged: boolean, version: number | undefined): string {
  if (isChanged || version === undefined) return 'Not saved'
  return version === 0 ? 'Built in' : `Saved as version ${version}`
}
