import type { ReactNode } from 'react'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { ThreadList } from './list/thread-list.tsx'

/** The list of conversations beside one of them, where there is room for both. */
export function ChatFrame({ children }: { children: ReactNode }) {
  const roomy = useIsRoomy()
  return (
    <div className="group/chat flex h-window min-h-0">
      {roomy && (
        // an open dock needs its room more, where there is not enough for three
        <div className="flex w-68 shrink-0 flex-col border-r border-line group-has-[[data-dock=right]:not([hidden])]/chat:max-xl:hidden">
          <ThreadList />
        </div>
      )}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">{children}</div>
    </div>
  )
}
