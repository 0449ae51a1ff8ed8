import { useEffect, useState } from 'react'
import { connectToaster, staysMs, type ToastMessage } from './toast.ts'

/**
 * Messages without any of what makes them pretty, for a page that cannot fetch that: offline, or after an update. It is in the
 * first load of every page, so it is short.
 */
export function PlainToaster() {
  const [messages, setMessages] = useState<readonly ToastMessage[]>([])
  const dismiss = (message: ToastMessage) => setMessages((shown) => shown.filter((one) => one !== message))
  useEffect(
    () =>
      connectToaster((message) => {
        setMessages((shown) => [...shown, message].slice(-3))
        const ms = staysMs(message)
        if (ms) setTimeout(dismiss, ms, message)
      }),
    [],
  )
  return (
    <div role="status" className="fixed right-4 bottom-20 z-60 max-w-88">
      {messages.map((message, index) => (
        <p key={index} className="mt-2 rounded-lg border border-line bg-raised px-3 py-2.5 shadow-float">
          {message.title} {message.description}{' '}
          <button
            className="font-medium text-accent-text"
            onClick={() => {
              message.action?.run()
              dismiss(message)
            }}
          >
            {message.action?.label ?? 'Dismiss'}
          </button>
        </p>
      ))}
    </div>
  )
}
