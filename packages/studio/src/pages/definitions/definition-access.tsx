interface DefinitionAccessProps {
  /** Who does what, in the order it is shown. */
  rights: readonly { act: string; who: string }[]
}

/** Who sees, uses and changes a definition. */
export function DefinitionAccess({ rights }: DefinitionAccessProps) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 p-4 text-dense">
      {rights.map(({ act, who }) => (
        <div key={act} className="contents">
          <dt className="text-muted">{act}</dt>
          <dd>{who}</dd>
        </div>
      ))}
    </dl>
  )
}
