import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { SharedView } from '../../artifact/shares/shared-view.tsx'
import { sharedQuery } from '../../data/share.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'

/** What somebody shared with the team. */
export function GalleryItemPage() {
  const { id } = useParams({ from: '/shell/team-places/gallery/$id' })
  const [version, setVersion] = useState<number>()
  const { data, error, refetch } = useQuery({ ...sharedQuery(id, version), placeholderData: keepPreviousData })
  usePageTitle(data?.title)
  return (
    <div className="mx-auto flex w-full max-w-220 flex-col gap-4 px-8 py-8 max-md:px-4 max-md:py-5">
      <nav aria-label="Breadcrumb" className="flex items-center gap-1 text-dense text-muted">
        <Link to="/gallery" className="rounded-sm hover:text-text">
          Gallery
        </Link>
        <ChevronRight aria-hidden className="size-3.5" />
        <span aria-current="page" className="truncate">
          {data?.title ?? '…'}
        </span>
      </nav>
      {data ? (
        <SharedView key={data.version} shared={data} onVersion={setVersion} />
      ) : error ? (
        <ErrorState doing="open what was shared" error={error} onRetry={() => void refetch()} />
      ) : (
        <WaitingLines label="Loading" className="gap-3" lines={['h-4 w-72', 'h-4 w-60']} />
      )}
    </div>
  )
}
