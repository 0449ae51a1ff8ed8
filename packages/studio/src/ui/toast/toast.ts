export interface ToastMessage {
  title: string
  description?: string
  /** Something succeeded unless it says otherwise. */
  tone?: 'success' | 'error' | 'info'
  /** A way back, such as Undo. */
  action?: { label: string; run: () => void }
}

type Show = (message: ToastMessage) => void

let show: Show | undefined
const early: ToastMessage[] = []
let request: (() => void) | undefined

/** Tells the person what just happened. The part that draws it is fetched with the first message. */
export function toast(message: ToastMessage): void {
  if (show) return show(message)
  early.push(message)
  request?.()
}

/** How long a message is shown; zero is until it was read: an error, while a way back stays until it can be taken. */
export function staysMs({ tone, action }: Pick<ToastMessage, 'tone' | 'action'>): number {
  return tone === 'error' ? 0 : action ? 10_000 : 5000
}

/** Called by the page when it can fetch the toaster. */
export function whenToastNeeded(load: () => void): void {
  request = load
  if (early.length > 0) load()
}

/** Called by the toaster once it is on the page. */
export function connectToaster(draw: Show): () => void {
  show = draw
  for (const message of early.splice(0)) draw(message)
  return () => (show = undefined)
}
