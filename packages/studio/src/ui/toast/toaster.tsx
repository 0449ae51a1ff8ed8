import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect } from 'react'
import { buttonClass } from '../button.tsx'
import { connectToaster, staysMs, type ToastMessage } from './toast.ts'

export function Toaster() {
  return (
    <Toast.Provider timeout={5000} limit={3}>
      <Messages />
    </Toast.Provider>
  )
}

function Messages() {
  const { toasts, add } = Toast.useToastManager<ToastMessage>()
  useEffect(() => connectToaster((message) => add(describe(message))), [add])
  return (
    <Toast.Portal>
      <Toast.Viewport className="fixed right-4 bottom-4 z-60 flex w-88 max-w-[calc(100vw-32px)] flex-col gap-2 outline-none max-md:right-4 max-md:bottom-20">
        {toasts.map((message) => (
          <Toast.Root
            key={message.id}
            toast={message}
            // what can be focused is never hidden from those who hear the page
            aria-hidden={false}
            className="rounded-lg border border-line bg-raised text-text shadow-float transition-[opacity,transform] data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0"
          >
            <Toast.Content className="flex items-start gap-2.5 py-2.5 pr-2 pl-3">
              <ToneIcon tone={message.data?.tone ?? 'success'} />
              <div className="min-w-0 flex-1">
                <Toast.Title className="text-dense font-medium break-words" />
                <Toast.Description className="text-dense break-words text-muted" />
              </div>
              <Toast.Action className={buttonClass('secondary', 'small')} />
              <Toast.Close
                aria-label="Dismiss"
                aria-hidden={false}
                className="flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-hover hover:text-text"
              >
                <X aria-hidden className="size-3.5" />
              </Toast.Close>
            </Toast.Content>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  )
}

function describe(message: ToastMessage) {
  const { title, description, tone, action } = message
  return {
    title,
    description,
    data: message,
    priority: tone === 'error' ? ('high' as const) : ('low' as const),
    timeout: staysMs(message),
    ...(action ? { actionProps: { children: action.label, onClick: action.run } } : {}),
  }
}

function ToneIcon({ tone }: { tone: NonNullable<ToastMessage['tone']> }) {
  if (tone === 'error') return <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-red" />
  if (tone === 'info') return <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-blue" />
  return <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-green" />
}
