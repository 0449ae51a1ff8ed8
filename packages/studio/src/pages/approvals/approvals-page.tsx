import type { Approval } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleCheck, History, MessageSquare } from 'lucide-react'
import { approvalRulesQuery, useApprovalList } from '../../data/approval.ts'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { ListBody } from '../../ui/list/list-body.tsx'
import { Together } from '../../ui/together.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { approvalColumns } from './approval-columns.tsx'
import { TeamRules } from './team-rules.tsx'

export function ApprovalsPage() {
  const waiting = useApprovalList({ status: 'pending' })
  const all = useApprovalList({})
  const rules = useQuery(approvalRulesQuery)
  const navigate = useNavigate()
  return (
    <Page
      title="Approvals"
      description="What agents of the team may do only when a person says so. Any editor can answer; the agent goes on by itself."
      wide
    >
      <Together queries={[waiting, all, rules]}>
        <OpenQuestions waiting={waiting} />
        <Card flush title="All questions">
          <ListBody<Approval>
            label="All questions"
            pages={all}
            columns={approvalColumns}
            rowKey={({ id }) => id}
            onOpen={({ threadId }) => void navigate({ to: '/threads/$id', params: { id: threadId } })}
            empty={
              <Empty icon={History} title="Nobody was asked yet">
                An agent asks when its definition or the team’s rules say so, under <code>approvals</code>.
              </Empty>
            }
          />
        </Card>
        <TeamRules />
      </Together>
    </Page>
  )
}

/** What nobody has answered, each with its answers beside it. */
function OpenQuestions({ waiting }: { waiting: ReturnType<typeof useApprovalList> }) {
  const { items, error } = waiting
  if (!items) {
    return error && <ErrorState doing="load what waits" error={error} onRetry={() => void waiting.refetch()} />
  }
  if (items.length === 0) {
    return (
      <Card>
        <Empty icon={CircleCheck} title="Nothing waits for an answer">
          When an agent asks, the question is here and in its conversation.
        </Empty>
      </Card>
    )
  }
  return (
    <>
      {items.map((approval) => (
        <ApprovalCard
          key={approval.id}
          approval={approval}
          origin={
            <LinkButton to="/threads/$id" params={{ id: approval.threadId }} look="quiet">
              <MessageSquare aria-hidden /> <span className="max-md:sr-only">Conversation</span>
            </LinkButton>
          }
        />
      ))}
      {waiting.hasNextPage && (
        <Button busy={waiting.isFetchingNextPage} onClick={() => void waiting.fetchNextPage()}>
          Load more
        </Button>
      )}
    </>
  )
}
