import type { InboxItem } from '@coherex/contract'
import { useIsMutating } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeft, CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useInboxList } from '../../data/inbox.ts'
import { announce } from '../../shell/announce.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { PageHeader } from '../../shell/page.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Segmented } from '../../ui/field/segmented.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { ApprovalHistory } from './approval-history.tsx'
import { InboxItemView } from './inbox-item-view.tsx'
import { parseInboxShow, showKinds, type InboxShow } from './inbox-kinds.ts'
import { InboxList } from './inbox-list.tsx'
import { KeyLegend } from './key-legend.tsx'
import { nextItem, stepItem } from './next-item.ts'
import { NotifySwitch } from './notify-switch.tsx'
import { useInboxKeys } from './use-inbox-keys.ts'

const choices: readonly { value: InboxShow | 'all'; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'approvals', label: 'Approvals' },
  { value: 'proposals', label: 'Proposals' },
  { value: 'failures', label: 'Failures' },
  { value: 'history', label: 'History' },
]

/** What waits for me: a list, and the item that is open beside it with everything needed to decide. */
export function InboxPage() {
  usePageTitle('Inbox')
  const { show } = parseInboxShow(useSearch({ strict: false }))
  const navigate = useNavigate()
  const roomy = useIsRoomy()
  const { id } = useParams({ strict: false })
  if (id !== undefined && !roomy) return <Waiting key={show} show={show} roomy={false} />
  return (
    <div className="flex min-h-0 flex-1 flex-col lg:h-dvh lg:flex-none">
      <div className="flex flex-col gap-4 border-b border-line px-8 pt-8 pb-4 max-md:px-4 max-md:pt-5">
        <PageHeader
          title="Inbox"
          description="Requests and reviews that need your decision. Agents continue once you answer."
          actions={<NotifySwitch />}
        />
        <div className="-mx-1 overflow-x-auto px-1">
          <Segmented
            label="Show"
            value={show ?? 'all'}
            choices={choices}
            onChange={(next) =>
              void navigate({ to: '/inbox', search: next === 'all' ? {} : { show: next }, replace: true })
            }
          />
        </div>
      </div>
      {show === 'history' ? <ApprovalHistory /> : <Waiting key={show} show={show} roomy={roomy} />}
    </div>
  )
}

/** The list with the open item beside it; on a narrow screen one of them. */
function Waiting({ show, roomy }: { show: InboxShow | undefined; roomy: boolean }) {
  const { id: openId } = useParams({ strict: false })
  const navigate = useNavigate()
  const pages = useInboxList(show && show !== 'history' ? showKinds[show] : undefined)
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const ids = items?.map(({ id }) => id) ?? []
  const found = items?.find(({ id }) => id === openId)
  const item = useLast(found, openId)
  const details = useRef<HTMLElement>(null)
  const open = (id: string | undefined) => {
    const search = show ? { show } : {}
    if (id === undefined) void navigate({ to: '/inbox', search, replace: true })
    else void navigate({ to: '/inbox/$id', params: { id }, search, replace: true })
  }
  const decided = () => {
    const next = openId && nextItem(ids, openId)
    announce(items?.find(({ id }) => id === next)?.title ?? 'Nothing waits for you')
    open(next)
  }
  useInboxKeys({ openId, details, onMove: (step) => open(stepItem(ids, openId, step) ?? openId) })

  const [first] = ids
  useEffect(() => {
    if (roomy && openId === undefined && first !== undefined) open(first)
    // an item that is further down is looked for
    if (openId !== undefined && items && !item && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  })

  const list = items ? (
    items.length > 0 ? (
      <>
        <InboxList items={items} openId={openId} show={show} />
        <LoadMore pages={pages} />
      </>
    ) : (
      <NothingWaits show={show} />
    )
  ) : pages.error ? (
    <ErrorState doing="load the inbox" error={pages.error} onRetry={() => void pages.refetch()} />
  ) : (
    <WaitingLines label="Loading" className="gap-5 p-5" lines={['h-8 w-full', 'h-8 w-full', 'h-8 w-full']} />
  )
  const isGone = items !== undefined && openId !== undefined && !found && !hasNextPage
  const opened = openId !== undefined && (item ?? isGone) && (
    <section
      ref={details}
      tabIndex={-1}
      aria-label={item?.title ?? 'Item'}
      className="flex min-h-0 flex-1 flex-col outline-none"
    >
      {!roomy && (
        <div className="px-2 pt-2">
          <LinkButton to="/inbox" search={show ? { show } : {}} look="quiet">
            <ArrowLeft aria-hidden /> Inbox
          </LinkButton>
        </div>
      )}
      {isGone && <Gone hasItem={item !== undefined} />}
      {item && <InboxItemView key={item.id} item={item} onDecided={decided} />}
    </section>
  )
  if (!roomy) return opened || <div className="bg-surface">{list}</div>
  return (
    <SplitPane name="inbox" direction="row" secondLabel="Details" initial={0.6} second={opened}>
      <div className="min-h-0 flex-1 overflow-y-auto bg-surface">{list}</div>
      {ids.length > 0 && <KeyLegend />}
    </SplitPane>
  )
}

/** An item stays as it was when it leaves the list, until another one is opened. */
function useLast(found: InboxItem | undefined, openId: string | undefined): InboxItem | undefined {
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  return found ?? (last?.id === openId ? last : undefined)
}

/** Someone else was faster. Nothing takes its place by itself: the next key would decide what nobody has read. */
function Gone({ hasItem }: { hasItem: boolean }) {
  const isMine = useIsMutating() > 0
  if (isMine) return null
  if (hasItem) {
    return (
      <div className="px-4 pt-3">
        <Callout>It is no longer in your inbox: someone else decided it, or it expired.</Callout>
      </div>
    )
  }
  return (
    <Empty icon={CircleCheck} title="This is not in your inbox">
      It was decided or dismissed, or it is for someone else.
    </Empty>
  )
}

function NothingWaits({ show }: { show: InboxShow | undefined }) {
  return (
    <Empty icon={CircleCheck} title={show ? 'None of these wait for you' : 'Nothing waits for you'}>
      Calls that agents ask you to approve, changes they propose to files and agents, skills to review, and turns and
      triggers that failed.
    </Empty>
  )
}
