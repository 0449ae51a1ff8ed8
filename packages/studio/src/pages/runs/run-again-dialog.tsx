import type { ExecutionAgain, ExecutionKind } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CodeLines } from '../../change/code-lines.tsx'
import { NeededApprovals } from '../../change/needed-approvals.tsx'
import { executionAgainQuery, useExecutionRetry } from '../../data/execution.ts'
import { languageNames } from '../../output/run-words.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'

interface RunAgainDialogProps {
  execution: { kind: ExecutionKind; id: string }
  onClose: () => void
  onStarted: (id: string) => void
}

/** What would be done again, where, and with which rights, before anything is. */
export function RunAgainDialog({ execution: { kind, id }, onClose, onStarted }: RunAgainDialogProps) {
  const { data: again, error, refetch } = useQuery(executionAgainQuery(id))
  const retry = useExecutionRetry()
  const needsApproval = (again?.approvals.length ?? 0) > 0
  const start = () =>
    retry.mutate(
      { params: { id }, body: { approve: again?.approvals.map(({ hash }) => hash) } },
      { onSuccess: (next) => onStarted(next.id) },
    )
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={kind === 'turn' ? 'Run this turn again?' : 'Run this again?'}
      description="It may repeat everything it did the first time."
    >
      <DialogBody>
        {error && <ErrorState doing="look up what would run" error={error} onRetry={() => void refetch()} />}
        {!again && !error && (
          <WaitingLines label="Looking up what would run" className="gap-2" lines={['h-20 w-full', 'h-4 w-64']} />
        )}
        {again && <Details again={again} />}
        <FormError error={retry.error} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={!again || again.refusal !== null} busy={retry.isPending} onClick={start}>
          {needsApproval ? 'Approve and run' : 'Run again'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function Details({ again }: { again: ExecutionAgain }) {
  const { kind, input, language, network, approvals, refusal } = again
  return (
    <div className="flex flex-col gap-3">
      {approvals.length > 0 ? (
        <NeededApprovals approvals={approvals} />
      ) : (
        <div className="overflow-clip rounded-md border border-line bg-sunken">
          <CodeLines text={input} language={language ?? ''} label={kind === 'turn' ? 'Question' : 'Code'} />
        </div>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-dense">
        {language && <Fact name="Language">{languageNames[language]}</Fact>}
        <Fact name="Runs in">
          <Place place={again.place} />
        </Fact>
        {network && (
          <Fact name="Network">
            {network.length === 0 ? 'none' : <span className="wrap-anywhere">{network.join(', ')}</span>}
          </Fact>
        )}
        <Fact name="Approval">
          {kind === 'turn'
            ? 'its calls ask again where they asked before'
            : approvals.length > 0
              ? 'needed: by running it you approve it'
              : 'none needed'}
        </Fact>
      </dl>
      {refusal && <p className="text-dense text-red">{refusal}.</p>}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

function Place({ place: { kind, id, name } }: Pick<ExecutionAgain, 'place'>) {
  if (id === null) return kind === 'fresh' ? 'a fresh sandbox of its own' : 'a place that is gone'
  switch (kind) {
    case 'sandbox':
      return (
        <>
          the sandbox{' '}
          <TextLink to="/sandboxes/$id" params={{ id }}>
            {name || id}
          </TextLink>
          , with the files and variables it has now
        </>
      )
    case 'workspace':
      return (
        <>
          a fresh sandbox with the files of{' '}
          <TextLink to="/workspaces/$id" params={{ id }}>
            {name || id}
          </TextLink>
        </>
      )
    default:
      return (
        <>
          the conversation{' '}
          <TextLink to="/threads/$id" params={{ id }}>
            {name || id}
          </TextLink>
          , as another answer
        </>
      )
  }
}
