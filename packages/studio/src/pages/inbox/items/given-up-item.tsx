import { RotateCw } from 'lucide-react'
import { useRight } from '../../../data/access/rights.ts'
import { useExecutionRetry } from '../../../data/execution.ts'
import { Button } from '../../../ui/button.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import type { ItemProps } from '../inbox-item-view.tsx'

export function GivenUpItem({ item: { id, title, summary, where }, onDecided }: ItemProps) {
  const right = useRight('editor', 'run agents')
  const retry = useExecutionRetry()
  const tryAgain = () =>
    void retry.mutateAsync({ params: { id }, body: {} }).then(
      () => {
        toast({ title: `${where.agent} tries again` })
        onDecided()
      },
      (error: Error) => toast({ title: 'Could not try again', description: error.message, tone: 'error' }),
    )
  return (
    <div className="flex flex-col gap-3 p-4 text-dense">
      <h2 className="text-body font-semibold">{title}</h2>
      <p className="rounded-md bg-red-soft px-3 py-2 text-red wrap-anywhere">{summary}</p>
      {where.thread?.title && <p className="text-muted">The conversation is “{where.thread.title}”.</p>}
      <div className="flex flex-wrap gap-2">
        <Reason why={right.why}>
          <Button
            look="primary"
            data-act="approve"
            icon={<RotateCw aria-hidden />}
            disabled={!right.may}
            busy={retry.isPending}
            onClick={tryAgain}
          >
            Try again
          </Button>
        </Reason>
        <LinkButton to="/executions/$id" params={{ id }}>
          Show timeline
        </LinkButton>
      </div>
    </div>
  )
}
