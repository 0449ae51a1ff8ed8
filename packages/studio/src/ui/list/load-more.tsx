import { Button } from '../button.tsx'

interface LoadMoreProps {
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** The end of a list that comes in pages. */
export function LoadMore({ pages }: LoadMoreProps) {
  if (!pages.hasNextPage) return null
  return (
    <div className="flex justify-center p-3">
      <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        Load more
      </Button>
    </div>
  )
}
