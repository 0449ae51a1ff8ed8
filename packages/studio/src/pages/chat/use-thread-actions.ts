import type { Message } from '@coherex/contract'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useThreadChange } from '../../data/thread/thread-change.ts'
import { useThreadRegenerate } from '../../data/thread/thread-regenerate.ts'
import { useThreadSay } from '../../data/thread/thread-say.ts'
import { useTurnContinue } from '../../data/thread/turn-continue.ts'
import { toast } from '../../ui/toast/toast.ts'
import type { Said } from './composer/composer.tsx'
import type { MessageActions } from './message-list.tsx'
import { attachedFiles } from './message/attached-files.tsx'

const noWait = { wait: 'false' as const }

/** What people do in a conversation: say something, and what a message offers. */
export function useThreadActions(id: string) {
  const say = useThreadSay()
  const regenerate = useThreadRegenerate()
  const goOn = useTurnContinue()
  const change = useThreadChange()
  /** What is on its way. */
  const [saying, setSaying] = useState<string>()
  const [saidCount, setSaidCount] = useState(0)
  const params = { id }

  async function speak(said: Said, parentId?: string | null): Promise<boolean> {
    setSaying(said.text)
    setSaidCount((count) => count + 1)
    const body = { ...said, ...(parentId !== undefined && { parentId }) }
    try {
      await say.mutateAsync({ params, query: noWait, body })
      return true
    } catch (error) {
      tellFailure('Could not send the message')(error as Error)
      return false
    } finally {
      setSaying(undefined)
    }
  }

  const now: MessageActions = {
    // files of a message stay with it when its words change
    edit: (message, text) => speak({ text, ...filesOf(message) }, message.parentId),
    show: (head) =>
      change.mutate({ params, body: { head } }, { onError: tellFailure('Could not show the other version') }),
    regenerate(messageId) {
      setSaidCount((count) => count + 1)
      const request = { params: { id, messageId }, query: noWait, body: {} }
      regenerate.mutate(request, { onError: tellFailure('Could not answer again') })
    },
    continue(turnId) {
      setSaidCount((count) => count + 1)
      goOn.mutate({ params: { id: turnId }, query: noWait }, { onError: tellFailure('Could not continue') })
    },
  }
  return { speak, saying, saidCount, isSaying: say.isPending, actions: useSameActions(now) }
}

export function tellFailure(title: string) {
  return (error: Error) => toast({ title, description: error.message, tone: 'error' })
}

/** Functions that stay the same and do what the last ones do. */
function useSameActions(now: MessageActions): MessageActions {
  const latest = useRef(now)
  useLayoutEffect(() => void (latest.current = now))
  return useMemo(
    () => ({
      edit: (message, text) => latest.current.edit(message, text),
      show: (messageId) => latest.current.show(messageId),
      regenerate: (messageId) => latest.current.regenerate(messageId),
      continue: (turnId) => latest.current.continue(turnId),
    }),
    [],
  )
}

function filesOf({ parts }: Message): Pick<Said, 'files' | 'attachments'> {
  const files = parts.flatMap((part) => {
    const [, mediaType, base64] = /^data:(image\/\w+);base64,(.+)$/.exec(String(part['url'] ?? '')) ?? []
    return part.type === 'file' && mediaType && base64
      ? [{ name: String(part['filename'] ?? 'image'), mediaType, base64 }]
      : []
  })
  return { files, attachments: attachedFiles(parts).map(({ id }) => id) }
}
