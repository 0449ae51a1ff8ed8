import type { Activity, LiveAnswer } from '@coherex/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { refetchNouns } from '../../../data/query/noun.ts'
import { threadQuery } from '../../../data/thread/thread-get.ts'
import { watchTurn } from '../../../data/thread/watch-turn.ts'
import { keepHeard, takeHeard } from './heard-before.ts'
import { withLive } from './with-live.ts'

interface Heard {
  turnId: string
  answer: LiveAnswer | undefined
  isLost: boolean
}

/** Of the page before this one, until somebody listens. */
let before = takeHeard()

/** A thread with the answer that is being written, word by word, for everyone who has it open. */
export function useLiveThread(id: string) {
  const queryClient = useQueryClient()
  const query = useQuery(threadQuery(id))
  const turnId = query.data?.turnId ?? undefined
  const activity = query.data?.activity
  // one that rests says nothing: it is listened to when it goes on
  const watchedId = activity && rests(activity) ? undefined : turnId
  const [heard, setHeard] = useState<Heard | undefined>(() => before && { ...before, isLost: false })
  const [times, setTimes] = useState(0)

  useEffect(() => {
    if (watchedId === undefined) return undefined
    let frame: number | undefined
    const from = before?.turnId === watchedId ? before : undefined
    before = undefined
    let latest = from?.answer
    let last = from?.last
    const show = (isLost: boolean) => {
      frame = undefined
      setHeard({ turnId: watchedId, answer: latest, isLost })
    }
    const keep = () => latest && last && keepHeard({ turnId: watchedId, answer: latest, last })
    addEventListener('pagehide', keep)
    const stop = watchTurn(
      { threadId: id, turnId: watchedId, from },
      {
        onAnswer(answer, upTo) {
          latest = answer
          last = upTo
          // words come faster than they can be drawn
          frame ??= requestAnimationFrame(() => show(false))
        },
        onLost: () => show(true),
        async onEnd() {
          await refetchNouns(queryClient, ['thread'])
          const now = queryClient.getQueryData(threadQuery(id).queryKey)
          // it rested for so short a time that nobody saw it
          if (now?.turnId === watchedId && !rests(now.activity)) setTimes((before) => before + 1)
        },
        onRefused: () => void refetchNouns(queryClient, ['thread']),
      },
    )
    return () => {
      stop()
      removeEventListener('pagehide', keep)
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [id, watchedId, times, queryClient])

  const live = watchedId !== undefined && heard?.turnId === watchedId ? heard : undefined
  const stored = query.data?.messages
  const messages = useMemo(() => withLive(stored ?? [], live?.answer), [stored, live?.answer])
  return { query, thread: query.data, turnId, messages, retry: live?.answer?.retry, isLost: live?.isLost ?? false }
}

function rests(activity: Activity): boolean {
  return activity === 'waiting' || activity === 'sleeping'
}
