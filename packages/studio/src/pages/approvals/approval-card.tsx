import type { Approval } from '@coherex/contract'
import { Check, CirclePause, Pencil, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useApprovalDecide } from '../../data/approval.ts'
import { useRight } from '../../data/rights.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Reason } from '../../ui/reason.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { Time } from '../../ui/time.tsx'
import { readArguments, writeArguments } from './read-arguments.ts'
import { RejectForm } from './reject-form.tsx'

interface ApprovalCardProps {
  approval: Approval
  /** Where it was asked, for those who are elsewhere. */
  origin?: ReactNode
}

/** One question: exactly what would be done, and the three answers to it. */
export function ApprovalCard({ approval, origin }: ApprovalCardProps) {
  const { id, agent, tool, kind, via, reason, shownInput, hash, input, requestedBy, expiresAt } = approval
  const right = useRight('editor', 'answer for the team')
  const decide = useApprovalDecide()
  const [edited, setEdited] = useState<string>()
  const [isRejecting, setRejecting] = useState<boolean>()
  const changed = edited === undefined ? undefined : readArguments(edited)
  const approve = () =>
    decide.mutate({
      params: { id },
      body: { decision: 'approve', hash, ...(changed?.input && { input: changed.input }) },
    })
  const reject = (note: string) =>
    decide.mutate({ params: { id }, body: { decision: 'reject', hash, ...(note && { note }) } })
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
        <pre
          tabIndex={0}
          role="region"
          aria-label="Arguments"
          className="max-h-60 overflow-auto rounded-md border border-line bg-sunken px-3 py-2 text-small leading-5 break-words whitespace-pre-wrap"
        >
          {shownInput}
        </pre>
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
      {isRejecting ? (
        <RejectForm agent={agent} busy={decide.isPending} onReject={reject} onBack={() => setRejecting(false)} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Reason why={right.why}>
            <Button
              look="primary"
              icon={<Check aria-hidden />}
              disabled={!right.may || changed?.problem !== undefined}
              busy={decide.isPending}
              onClick={approve}
            >
              {edited === undefined ? 'Approve' : 'Approve as changed'}
            </Button>
          </Reason>
          <Button
            icon={<X aria-hidden />}
            // whoever thought better of it is where they were
            autoFocus={isRejecting === false}
            disabled={!right.may || decide.isPending}
            onClick={() => setRejecting(true)}
          >
            Reject
          </Button>
          <Button
            look="quiet"
            icon={<Pencil aria-hidden />}
            disabled={!right.may}
            onClick={() => setEdited(edited === undefined ? writeArguments(input) : undefined)}
          >
            {edited === undefined ? 'Change arguments' : 'Keep as asked'}
          </Button>
        </div>
      )}
    </section>
  )
}
