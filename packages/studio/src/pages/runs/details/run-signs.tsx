import type { Run } from '@coherex/contract'
import { useRight } from '../../../shell/rights.ts'
import { Callout } from '../../../ui/callout.tsx'
import { TextLink } from '../../../ui/text-link.tsx'

/** What honest code rarely does. Each is in the audit log too. */
export function RunSigns({ run }: { run: Run }) {
  const mayRead = useRight('admin', 'read the audit log').may
  if (run.signs.length === 0) return null
  return (
    <Callout tone="warning">
      <p className="font-medium">The sandbox saw something that honest code rarely does.</p>
      <ul className="list-disc pl-4">
        {run.signs.map(({ kind, detail }, index) => (
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
