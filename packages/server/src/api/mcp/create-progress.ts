import type { ServerContext } from '@modelcontextprotocol/server'

const everyMs = 100
const longest = 2_000

interface ProgressOptions {
  /** A client that asked for no progress hears it as a log, at the level that it set. */
  logs: boolean
}

/** Tells a client how its call goes, ten times a second at the most, where it asked to hear of that. */
export function createProgress(
  { mcpReq }: ServerContext,
  { logs }: ProgressOptions,
): { say(text: string): void; end(): Promise<void> } {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined && !logs) return { say: () => undefined, end: async () => undefined }
  let waiting = ''
  let progress = 0
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (waiting === '') return
    const message = waiting.length > longest ? `… ${waiting.slice(-longest)}`.toWellFormed() : waiting
    waiting = ''
    progress++
    const told =
      progressToken === undefined
        ? mcpReq.log('info', message)
        : mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
    // the client is gone, and the call ends by that
    await told.catch(() => undefined)
  }

  return {
    say(text) {
      // of much that is said at once the end is what counts
      waiting = (waiting + text).slice(-longest - 1)
      timer ??= setTimeout(() => void flush(), everyMs)
    },
    end: flush,
  }
}
