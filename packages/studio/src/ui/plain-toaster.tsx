import { useEffect, useState } from 'react'
import { connectToaster, staysMs, type ToastMessage } from './toast.ts'

/** Messages without any of what makes them pretty, for a page that cannot fetch that: offline, or after an update. */
export function PlainToaster() {
  const [messages, setMessages] = useState<readonly ToastMessage[]>([])
  const dismiss = (message: ToastMessage) => setMessages((shown) => shown.filter((one) => one !== message))
  useEffect(
    () =>
      connectToaster((message) => {
        setMessages((shown) => [...shown, message].slice(-3))
        const ms = staysMs(message)
        if (ms > 0) setTimeout(() => dismiss(message), ms)
      }),
    [],
  )
  const buttonClass = 'shrink-0 rounded-sm px-1.5 font-medium text-accent-text hover:bg-hover'
  return (
    <div
      role="status"
      className="fixed right-4 bottom-4 z-60 flex w-88 max-w-[calc(100vw-32px)] flex-col gap-2 max-md:bottom-20"
    >
      {messages.map((message, index) => (
        <div
          key={index}
          className="flex items-start gap-2.5 rounded-lg border border-line bg-raised px-3 py-2.5 text-dense text-text shadow-float"
        >
          <div className="min-w-0 flex-1 break-words">
            <p className="font-medium">{message.title}</p>
            {message.description && <p className="text-muted">{message.description}</p>}
          </div>
          {message.action && (
            <button
              type="button"
              className={buttonClass}
              onClick={() => {
                message.action?.run()
                dismiss(message)
              }}
            >
              {message.action.label}
            </button>
          )}
          <button type="button" className={buttonClass} onClick={() => dismiss(message)}>
            Dismiss
          </button>
        </div>
      ))}
    </div>
  )
}
