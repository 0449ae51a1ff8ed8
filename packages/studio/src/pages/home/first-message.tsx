import { ArrowUp } from 'lucide-react'
import { useState, type ComponentType } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useDraft } from '../../ui/state/draft.ts'
import type { StartChat } from '../chat/start-chat.tsx'

type Start = ComponentType<Parameters<typeof StartChat>[0]>

/** Where a conversation begins. It becomes the whole composer once somebody turns to it: few visits of Home need one. */
export function FirstMessage() {
  const [start, setStart] = useState<{ Chat: Start }>()
  // the composer finds the words under the same name
  const draft = useDraft('say.new', { text: '' })
  const { why } = useRight('editor', 'chat with agents')
  const [isFocused, setIsFocused] = useState(false)
  if (start) return <start.Chat autoFocus={isFocused} />
  const load = () =>
    // where it cannot be loaded the words stay, and the next try loads it again
    void import('../chat/start-chat.tsx').then(
      ({ StartChat: Chat }) => setStart({ Chat }),
      () => undefined,
    )
  return (
    <div onPointerEnter={load} className="rounded-lg border border-control bg-surface">
      <textarea
        aria-label="Message"
        placeholder={why ?? 'Ask coder anything'}
        value={draft.value.text}
        rows={1}
        maxLength={200_000}
        onFocus={() => {
          setIsFocused(true)
          load()
        }}
        onBlur={() => setIsFocused(false)}
        onChange={(event) => draft.change({ text: event.target.value })}
        // sent by the composer, which is on its way
        onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && event.preventDefault()}
        className="block min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-body outline-none max-md:text-lead"
      />
      <div className="flex justify-end px-2 pb-2">
        <IconButton label="Send" look="primary" icon={<ArrowUp aria-hidden />} disabled />
      </div>
    </div>
  )
}
