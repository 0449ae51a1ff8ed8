import type { Run } from '@coherex/contract'
import { useRight } from '../../data/access/rights.ts'
import { Callout } from '../../ui/callout.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { signsToShow } from './signs-to-show.ts'

/** What honest code rarely does, and what was ended at a limit. Each is in the audit log too. */
export function RunSigns({ run }: { run: Run }) {
  const mayRead = useRight('admin', 'read the audit log').may
  const signs = signsToShow(run)
  if (signs.length === 0) return null
  const rare = signs.some(({ kind }) => kind !== 'limit-kill')
  return (
    <Callout tone="warning">
      <p className="font-medium">
        {rare ? 'The sandbox saw something unusual.' : 'A limit of the sandbox ended part of it.'}
      </p>
      <ul className="list-disc pl-4">
        {signs.map(({ kind, detail }, index) => (
          <li key={index}>
            <code className="text-small">{kind}</code> {detail}
          </li>
        ))}
      </ul>
      {mayRead && (
        <TextLink to="/settings/audit" search={{ search: run.id }}>
          Show it in the audit log
        </TextLink>
      )}
    </Callout>
  )
}
