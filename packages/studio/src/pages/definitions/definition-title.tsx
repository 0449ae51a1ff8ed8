import type { ReactNode } from 'react'

interface DefinitionTitleProps {
  name: string
  /** The pill of its status. */
  status: ReactNode
  version: string
  /** Who answers for it; nobody of the team for what comes with Coherex. */
  owner?: { name: string } | undefined
  reach?: string
}

/** Name, status, version, owner and reach. */
export function DefinitionTitle({ name, status, version, owner, reach }: DefinitionTitleProps) {
  return (
    <>
      <span className="truncate">{name}</span>
      {status}
      <span className="truncate text-small font-normal text-muted max-sm:hidden">
        {version}
        {owner && (
          <span className="max-md:hidden">
            {' '}
            · {owner.name} · {reach}
          </span>
        )}
      </span>
    </>
  )
}
