import type { EventBus } from '../../base/index.ts'

const quietMs = 100

/** Says that a thread has changed: at once, and while it goes on changing ten times a second at the most. */
export function createThreadNews(events: EventBus, { teamId, threadId }: { teamId: string; threadId: string }) {
  let timer: NodeJS.Timeout | undefined
  let isDue = false

  function tell(): void {
    isDue = timer !== undefined
    if (isDue) return
    void events.publish({ teamId, type: 'thread', id: threadId })
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) tell()
    }, quietMs)
  }

  return { tell, close: () => clearTimeout(timer) }
}
