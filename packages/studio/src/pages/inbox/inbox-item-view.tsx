import type { InboxItem } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { Archive } from 'lucide-react'
import type { ReactNode } from 'react'
import { useInboxDismiss } from '../../data/inbox.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/text/time.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { kindWords } from './inbox-kinds.ts'
import { AgentProposalItem } from './items/agent-proposal-item.tsx'
import { ApprovalItem } from './items/approval-item.tsx'
import { FailedTriggerItem } from './items/failed-trigger-item.tsx'
import { FileProposalItem } from './items/file-proposal-item.tsx'
import { GivenUpItem } from './items/given-up-item.tsx'
import { McpReviewItem } from './items/mcp-review-item.tsx'
import { SkillReviewItem } from './items/skill-review-item.tsx'
import { ToolReviewItem } from './items/tool-review-item.tsx'

export interface ItemProps {
  item: InboxItem
  /** It was decided, by me. */
  onDecided: () => void
}

/** One item with everything that is needed to decide it. */
export function InboxItemView({ item, onDecided }: ItemProps) {
  const { kind, at, isDismissible } = item
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-small text-muted">
        <span className="font-medium">{kindWords[kind].label}</span>
        <Time at={at} />
        <Places where={item.where} />
        <span className="flex-1" />
        {isDismissible && <Dismiss item={item} onDecided={onDecided} />}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">{body({ item, onDecided })}</div>
    </>
  )
}

function body(props: ItemProps): ReactNode {
  switch (props.item.kind) {
    case 'approval':
      return <ApprovalItem {...props} />
    case 'file-proposal':
      return <FileProposalItem {...props} />
    case 'definition-proposal':
      return <AgentProposalItem {...props} />
    case 'skill-review':
      return <SkillReviewItem {...props} />
    case 'mcp-review':
      return <McpReviewItem {...props} />
    case 'tool-review':
      return <ToolReviewItem {...props} />
    case 'given-up-turn':
      return <GivenUpItem {...props} />
    case 'failed-trigger':
      return <FailedTriggerItem {...props} />
  }
}

const linkClass = 'rounded-sm text-accent-text hover:underline'

function Places({ where: { thread, workspace, agent, skill, tool } }: Pick<InboxItem, 'where'>) {
  return (
    <>
      {thread && (
        <Link to="/threads/$id" params={{ id: thread.id }} className={linkClass}>
          Open conversation
        </Link>
      )}
      {workspace && (
        <Link to="/workspaces/$id" params={{ id: workspace.id }} className={linkClass}>
          {workspace.name}
        </Link>
      )}
      {agent && (
        <Link to="/agents/$name" params={{ name: agent }} className={linkClass}>
          {agent}
        </Link>
      )}
      {tool && (
        <Link to="/tools/$name" params={{ name: tool }} search={{ tab: 'versions' }} className={linkClass}>
          {tool}
        </Link>
      )}
      {skill && (
        <Link to="/skills/$name" params={{ name: skill }} className={linkClass}>
          {skill}
        </Link>
      )}
    </>
  )
}

function Dismiss({ item: { id }, onDecided }: ItemProps) {
  const dismiss = useInboxDismiss()
  return (
    <Button
      size="small"
      icon={<Archive aria-hidden />}
      data-act="dismiss"
      busy={dismiss.isPending}
      onClick={() =>
        void dismiss
          .mutateAsync({ params: { id } })
          .then(onDecided, (error: Error) =>
            toast({ title: 'Could not dismiss it', description: error.message, tone: 'error' }),
          )
      }
    >
      Dismiss
    </Button>
  )
}
