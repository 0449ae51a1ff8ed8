import type { ThreadSummary } from '@coherex/contract'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { MessageSquare, Pin, Plus, Upload } from 'lucide-react'
import { useRef } from 'react'
import { useRight } from '../../data/rights.ts'
import { useThreadImport } from '../../data/thread/thread-import.ts'
import { useThreadList } from '../../data/thread/thread-list.ts'
import { wordsOf } from '../../shell/address-filters.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.ts'
import { ActivityIcon } from './activity-icon.tsx'
import { activityWords, threadTitle } from './thread-words.ts'

/** Conversations of the team: pinned ones first, then the newest. */
export function ThreadList() {
  // in the address: whoever opens one of those found and goes back finds them again
  const search = wordsOf(useSearch({ strict: false }).search) ?? ''
  const sought = search === '' ? {} : { search }
  const navigate = useNavigate()
  const threads = useThreadList({ search })
  const { may } = useRight('editor', 'talk to agents')
  const { items, error } = threads
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-14 shrink-0 items-center gap-1 border-b border-line px-3">
        <SearchInput
          narrow
          label="Search conversations"
          placeholder="Search"
          value={search}
          onSearch={(words) =>
            void navigate({
              to: '.',
              search: ({ search: _before, ...rest }) => ({ ...rest, ...(words && { search: words }) }),
              replace: true,
            })
          }
        />
        {may && <ImportButton />}
        {may && (
          <LinkButton to="/threads" search={sought} look="quiet" aria-label="New conversation">
            <Plus aria-hidden />
          </LinkButton>
        )}
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
          <Empty icon={MessageSquare} title={search ? 'Nothing found' : 'No conversations yet'}>
            {search
              ? 'No title and no message has these words.'
              : 'What people and agents say to each other is kept here.'}
          </Empty>
        ) : (
          <ul className="flex flex-col gap-0.5">
            {items.map((thread) => (
              <ThreadLine key={thread.id} thread={thread} sought={sought} />
            ))}
          </ul>
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

function ThreadLine({ thread, sought }: { thread: ThreadSummary; sought: { search?: string } }) {
  const isBusy = thread.activity !== 'idle'
  return (
    <li>
      <Link
        to="/threads/$id"
        params={{ id: thread.id }}
        search={sought}
        className="flex flex-col rounded-md px-2.5 py-1.5 transition-colors hover:bg-hover aria-[current=page]:bg-pressed"
      >
        <span className="flex items-center gap-1.5 text-dense font-medium">
          {thread.pinned && <Pin aria-label="Pinned" className="size-3 shrink-0 text-muted" />}
          <span className="min-w-0 flex-1 truncate">{threadTitle(thread)}</span>
          {isBusy && <ActivityIcon activity={thread.activity} label={activityWords[thread.activity]} />}
        </span>
        <span className="flex justify-between gap-2 text-small text-muted">
          <span className="truncate">{thread.agent}</span>
          <Time at={thread.updatedAt} />
        </span>
      </Link>
    </li>
  )
}

type Imported = Parameters<ReturnType<typeof useThreadImport>['mutateAsync']>[0]['body']

// browsers do not know the type everywhere
function isMarkdown({ name, type }: File): boolean {
  return type === 'text/markdown' || /\.(?:md|markdown)$/i.test(name)
}

function ImportButton() {
  const picker = useRef<HTMLInputElement>(null)
  const bring = useThreadImport()
  const navigate = useNavigate()
  async function read(file: File) {
    try {
      const text = await file.text()
      // the server checks what is in it
      const body = isMarkdown(file) ? { kind: 'markdown' as const, text } : (JSON.parse(text) as Imported)
      const { id } = await bring.mutateAsync({ body })
      await navigate({ to: '/threads/$id', params: { id } })
    } catch (error) {
      const isNoJson = error instanceof SyntaxError
      const description = isNoJson ? 'The file is not an exported conversation.' : (error as Error).message
      toast({ title: `${file.name} was not imported`, description, tone: 'error' })
    }
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept="application/json,.json,text/markdown,.md"
        aria-label="Exported conversation"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void read(file)
          event.target.value = ''
        }}
      />
      <IconButton
        label="Import a conversation"
        icon={<Upload aria-hidden />}
        busy={bring.isPending}
        onClick={() => picker.current?.click()}
      />
    </>
  )
}
