import type { ReactNode } from 'react'

interface DefinitionTitleProps {
  name: string
  /** The pill of its status. */
  status: ReactNode
  version: string
  /** Who made it, and who sees it. */
  facts?: string | undefined
}

/** Name, status, version, owner and reach. */
export function DefinitionTitle({ name, status, version, facts }: DefinitionTitleProps) {
  return (
    <>
      <span className="truncate">{name}</span>
      {status}
      <span className="truncate text-small font-normal text-muted max-sm:hidden">
        {version}
        {facts && <span className="max-md:hidden"> · {facts}</span>}
      </span>
    </>
  )
}
