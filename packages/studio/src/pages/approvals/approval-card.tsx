import type { Approval, ApprovalDecision } from '@coherex/contract'
import { CirclePause, Pencil } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useApprovalDecide } from '../../data/approval.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field/checkbox.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { Time } from '../../ui/text/time.tsx'
import { AskedCall } from './asked-call.tsx'
import { Decision } from './decision.tsx'
import { readArguments, writeArguments } from './read-arguments.ts'

interface ApprovalCardProps {
  approval: Approval
  /** Where it was asked, for those who are elsewhere. */
  origin?: ReactNode
  /** After an answer of mine. */
  onDecided?: () => void
}

/** One question: exactly what would be done, and the three answers to it. */
export function ApprovalCard({ approval, origin, onDecided }: ApprovalCardProps) {
  const { id, agent, tool, kind, via, reason, hash, input, requestedBy, expiresAt, mayStand } = approval
  const right = useRight('editor', 'answer for the team')
  const decide = useApprovalDecide()
  const [edited, setEdited] = useState<string>()
  const [stands, setStands] = useState(false)
  const changed = edited === undefined ? undefined : readArguments(edited)
  // the card may be gone when the answer is in; what went wrong stands beside the buttons
  const answer = (body: ApprovalDecision) =>
    void decide.mutateAsync({ params: { id }, body }).then(onDecided, () => undefined)
  const approve = () =>
    answer({
      ...{ decision: 'approve', hash, ...(changed?.input && { input: changed.input }) },
      ...(stands && { forThread: true }),
    })
  const reject = (note: string) => answer({ decision: 'reject', hash, ...(note && { note }) })
  return (
    <section
      aria-label={`${agent} asks`}
      className="flex flex-col gap-3 rounded-lg border border-amber/45 bg-surface p-4"
    >
      <header className="flex items-start gap-2 text-dense">
        <CirclePause aria-hidden className="mt-0.5 size-4 shrink-0 text-amber" />
        <div className="min-w-0 flex-1">
          <h2 className="text-body font-semibold">
            {agent} asks to use <code>{tool}</code>
            {kind === 'repeat' && ' again'}
          </h2>
          <p className="text-muted">
            {reason}. It works for {requestedBy.name}
            {via.length > 0 && (
              <>
                {' '}
                and was led here by <code>{via.join(' › ')}</code>
              </>
            )}
            . The question expires <Time at={expiresAt} />.
          </p>
        </div>
        {origin && <div className="-mt-1 -mr-1 shrink-0">{origin}</div>}
      </header>
      {edited === undefined ? (
        <AskedCall approval={approval} />
      ) : (
        <TextArea
          aria-label="Arguments as JSON"
          className="font-mono"
          rows={8}
          spellCheck={false}
          value={edited}
          onChange={(event) => setEdited(event.target.value)}
        />
      )}
      <FormError error={decide.error ?? (changed?.problem ? new Error(changed.problem) : null)} />
      {mayStand && (
        <Checkbox
          checked={stands}
          onChange={setStands}
          disabled={!right.may}
          hint={`${agent} uses ${tool} here without asking again, for ${requestedBy.name}.`}
        >
          Always in this conversation
        </Checkbox>
      )}
      <Decision
        approve={edited === undefined ? 'Approve' : 'Approve as changed'}
        right={right}
        busy={decide.isPending}
        isWrong={changed?.problem !== undefined}
        hint={`${agent} reads it and can do otherwise.`}
        onApprove={approve}
        onReject={reject}
      >
        <Button
          look="quiet"
          icon={<Pencil aria-hidden />}
          disabled={!right.may}
          onClick={() => setEdited(edited === undefined ? writeArguments(input) : undefined)}
        >
          {edited === undefined ? 'Change arguments' : 'Keep as asked'}
        </Button>
      </Decision>
    </section>
  )
}
