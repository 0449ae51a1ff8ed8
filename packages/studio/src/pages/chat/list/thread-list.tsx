import { useNavigate, useSearch } from '@tanstack/react-router'
import { MessageSquare, Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useRight } from '../../../data/access/rights.ts'
import { useThreadList } from '../../../data/thread/thread-list.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { SearchInput } from '../../../ui/list/search-input.tsx'
import { Skeleton, Waiting } from '../../../ui/skeleton.tsx'
import { useNow } from '../../../ui/state/use-now.ts'
import { ThreadImport } from './thread-import.tsx'
import { ThreadLine } from './thread-line.tsx'
import { groupThreads, parseThreadPlace, toThreadQuery, type ThreadPlace, type ThreadTab } from './thread-place.ts'

// the list is read before it is narrowed
const KindSelect = lazy(async () => ({ default: (await import('./kind-select.tsx')).KindSelect }))

const emptyWords: Record<ThreadTab, string> = {
  mine: 'Conversations you begin are here. Only you see them until you share them.',
  team: 'Conversations that people share with the team are here.',
  archived: 'Archive a conversation from its menu to keep it out of the other lists.',
}

/** Conversations: mine, the team's and archived ones, by day. */
export function ThreadList() {
  // in the address: whoever opens one of those found and goes back finds them again
  const place = parseThreadPlace(useSearch({ strict: false }))
  const navigate = useNavigate()
  const { may } = useRight('editor', 'chat with agents')
  // viewers begin none
  const tab = place.tab ?? (may ? 'mine' : 'team')
  const threads = useThreadList(toThreadQuery(tab, place))
  const now = useNow(false)
  const { items, error } = threads
  const { search = '' } = place
  const show = (change: { [Name in keyof ThreadPlace]: ThreadPlace[Name] | undefined }) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-col gap-2 border-b border-line p-3">
        <div className="flex items-center gap-1">
          <SearchInput
            narrow
            label="Search conversations"
            placeholder="Search"
            value={search}
            onSearch={(words) => show({ search: words || undefined })}
          />
          {may && <ThreadImport />}
          {may && (
            <LinkButton to="/threads" search={place} look="quiet" aria-label="New conversation">
              <Plus aria-hidden />
            </LinkButton>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Segmented
            label="Conversations of"
            value={tab}
            choices={[
              { value: 'mine', label: 'Mine' },
              { value: 'team', label: 'Team' },
              { value: 'archived', label: 'Archived' },
            ]}
            onChange={(next) => show({ tab: next, by: undefined })}
          />
          <Suspense fallback={<span className="h-7" />}>
            {tab === 'team' && <KindSelect value={place.by} onChange={(by) => show({ tab, by })} />}
          </Suspense>
        </div>
      </div>
      <nav aria-label="Conversations" className="min-h-0 flex-1 overflow-y-auto p-2">
        {items === undefined ? (
          error ? (
            <ErrorState doing="load the conversations" error={error} onRetry={() => void threads.refetch()} />
          ) : (
            <Waiting label="Loading">
              {Array.from({ length: 6 }, (_, index) => (
                <Skeleton key={index} className="mx-2 my-4 h-4" />
              ))}
            </Waiting>
          )
        ) : items.length === 0 ? (
          <Empty icon={MessageSquare} title={search ? 'Nothing found' : 'No conversations'}>
            {search ? 'No title or message contains these words.' : emptyWords[tab]}
          </Empty>
        ) : (
          groupThreads(items, now).map(([group, own]) => (
            <section key={group}>
              <h2 className="px-2.5 pt-2 pb-1 text-small font-medium text-muted">{group}</h2>
              <ul aria-label={group} className="flex flex-col gap-0.5">
                {own.map((thread) => (
                  <ThreadLine key={thread.id} thread={thread} place={place} showsAuthor={tab !== 'mine'} />
                ))}
              </ul>
            </section>
          ))
        )}
        {threads.hasNextPage && (
          <Button
            className="mt-2 w-full"
            look="quiet"
            busy={threads.isFetchingNextPage}
            onClick={() => void threads.fetchNextPage()}
          >
            Load more
          </Button>
        )}
      </nav>
    </div>
  )
}
