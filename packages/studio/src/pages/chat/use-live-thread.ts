import type { Message } from '@coherex/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { LiveAnswer } from '../../data/thread/apply-chunk.ts'
import { threadQuery } from '../../data/thread/thread-get.ts'
import { watchTurn } from '../../data/thread/watch-turn.ts'

interface Heard {
  turnId: string
  answer: LiveAnswer | undefined
  isLost: boolean
}

/** A thread with the answer that is being written, word by word, for everyone who has it open. */
export function useLiveThread(id: string) {
  const queryClient = useQueryClient()
  const query = useQuery(threadQuery(id))
  const turnId = query.data?.turnId ?? undefined
  const [heard, setHeard] = useState<Heard>()

  useEffect(() => {
    if (turnId === undefined) return undefined
    let frame: number | undefined
    let latest: LiveAnswer | undefined
    const show = (isLost: boolean) => {
      frame = undefined
      setHeard({ turnId, answer: latest, isLost })
    }
    const stop = watchTurn(id, turnId, {
      onAnswer(answer) {
        latest = answer
        // words come faster than they can be drawn
        frame ??= requestAnimationFrame(() => show(false))
      },
      onLost: () => show(true),
      onEnd: () => void queryClient.invalidateQueries({ queryKey: ['thread'] }),
    })
    return () => {
      stop()
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [id, turnId, queryClient])

  const live = turnId !== undefined && heard?.turnId === turnId ? heard : undefined
  const stored = query.data?.messages
  const messages = useMemo(() => withLive(stored, live?.answer), [stored, live?.answer])
  return { query, thread: query.data, turnId, messages, retry: live?.answer?.retry, isLost: live?.isLost ?? false }
}

function withLive(messages: readonly Message[] | undefined, answer: LiveAnswer | undefined): readonly Message[] {
  if (!messages || !answer) return messages ?? []
  return messages.map((message) => (message.id === answer.id ? { ...message, parts: [...answer.parts] } : message))
}
