import type { NeededApproval } from '@coherex/contract'
import { Time } from '../ui/text/time.tsx'
import { CallInput } from './call-input.tsx'

/** Calls that needed an approval and need one again: exactly what each would do. */
export function NeededApprovals({ approvals }: { approvals: readonly NeededApproval[] }) {
  return (
    <ul aria-label="Needs an approval" className="flex flex-col gap-2">
      {approvals.map(({ hash, tool, agent, input, decidedBy, decidedAt }) => (
        <li key={hash} className="overflow-clip rounded-md border border-amber/45">
          <p className="border-b border-line bg-amber-soft px-3 py-1.5 text-dense text-amber">
            <strong className="font-medium">{agent}</strong> needed an approval for <code>{tool}</code>
            {decidedBy && decidedAt && (
              <>
                : {decidedBy.name} gave it <Time at={decidedAt} />
              </>
            )}
            . It needs yours to run again.
          </p>
          <CallInput tool={tool} input={input} />
        </li>
      ))}
    </ul>
  )
}
