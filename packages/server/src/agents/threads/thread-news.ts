import { tellOfThread, type TellDeps } from '../../access/index.ts'
import type { Log } from '../../base/index.ts'

const quietMs = 100

/** Says that a thread has changed, to those who may see it. */
export function tellThread(deps: TellDeps, teamId: string, threadId: string): Promise<void> {
  return tellOfThread(deps, threadId, { teamId, type: 'thread', id: threadId })
}

/** The same at once, and while it goes on changing ten times a second at the most. */
export function createThreadNews(
  deps: TellDeps & { log: Log },
  { teamId, threadId }: { teamId: string; threadId: string },
) {
  let timer: NodeJS.Timeout | undefined
  let isDue = false

  function tell(): void {
    isDue = timer !== undefined
    if (isDue) return
    tellThread(deps, teamId, threadId).catch((error: unknown) =>
      deps.log.warn({ error }, 'nobody was told that a thread changed'),
    )
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) tell()
    }, quietMs)
  }

  return { tell, close: () => clearTimeout(timer) }
}
