import { openFrame } from '../runtimes/open-frame.ts'

/** What a view is shown. */
export interface ShownCall {
  input: unknown
  result: object
}

export interface AppHostOptions {
  place: HTMLElement
  html: string
  title: string
  shown: ShownCall
  look(): object
  call(tool: string, input: Record<string, unknown>, signal: AbortSignal): Promise<object>
  onHeight(height: number): void
  /** Why it was taken away. */
  onEnd(reason: string): void
  signal: AbortSignal
}

interface Message {
  jsonrpc?: unknown
  id?: unknown
  method?: unknown
  params?: unknown
}

const protocolVersion = '2026-01-26'
const mostAtOnce = 4
// a view that says more than this is broken, or wants to be in the way
const mostMessages = 500
const withinMs = 10_000

/**
 * Shows a view of MCP Apps in a frame of no origin and answers what it asks for: the call it is of, and calls of its own. Nothing
 * that it says is believed; what it may call is decided by the server.
 */
export async function openApp(options: AppHostOptions): Promise<{ changeLook(): void }> {
  const { place, html, title, shown, look, call, onHeight, onEnd, signal } = options
  const frame = await openFrame('/runtimes/app', place)
  signal.addEventListener('abort', close)
  if (signal.aborted) close()
  frame.title = title
  frame.className = 'block size-full border-0'
  let calls = 0
  let heard: number[] = []
  let isReady = false
  window.addEventListener('message', hear)
  frame.contentWindow?.postMessage({ html }, '*')
  return { changeLook: () => isReady && tell('ui/notifications/host-context-changed', look()) }

  function close(): void {
    window.removeEventListener('message', hear)
    frame.remove()
  }

  // a frame of no origin can be named by no other address
  function post(message: object): void {
    frame.contentWindow?.postMessage({ jsonrpc: '2.0', ...message }, '*')
  }
  function tell(method: string, params: object): void {
    post({ method, params })
  }

  function hear({ source, data }: MessageEvent<unknown>): void {
    if (source !== frame.contentWindow || typeof data !== 'object' || data === null) return
    const now = performance.now()
    heard = [...heard.filter((at) => now - at < withinMs), now]
    if (heard.length > mostMessages) {
      close()
      onEnd('The view was closed: it sent too many messages.')
      return
    }
    const { id, method, params } = data as Message
    if (typeof method !== 'string') return
    const given = typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {}
    if (typeof id === 'string' || typeof id === 'number') void answer(id, method, given)
    else note(method, given)
  }

  function note(method: string, params: Record<string, unknown>): void {
    if (method === 'ui/notifications/size-changed') onHeight(Number(params['height']) || 0)
    if (method !== 'ui/notifications/initialized' || isReady) return
    isReady = true
    tell('ui/notifications/tool-input', { arguments: shown.input ?? {} })
    tell('ui/notifications/tool-result', shown.result)
  }

  async function answer(id: string | number, method: string, params: Record<string, unknown>): Promise<void> {
    const refuse = (code: number, message: string) => post({ id, error: { code, message } })
    switch (method) {
      case 'ui/initialize':
        return post({
          id,
          result: {
            protocolVersion,
            hostInfo: { name: 'Coherex', version: '1' },
            hostCapabilities: { serverTools: {}, logging: {}, sandbox: { csp: {}, permissions: {} } },
            hostContext: {
              ...look(),
              ...{ displayMode: 'inline', availableDisplayModes: ['inline'], platform: 'web' },
              containerDimensions: { width: place.clientWidth, maxHeight: mostHeight },
              locale: navigator.language,
            },
          },
        })
      case 'ping':
        return post({ id, result: {} })
      case 'ui/request-display-mode':
        return post({ id, result: { mode: 'inline' } })
      case 'tools/call': {
        const { name, arguments: input } = params
        if (typeof name !== 'string') return refuse(-32602, 'A call names a tool')
        if (calls >= mostAtOnce) return refuse(-32000, `A view makes at most ${mostAtOnce} calls at once`)
        calls++
        try {
          post({ id, result: await call(name, (input ?? {}) as Record<string, unknown>, signal) })
        } catch (error) {
          refuse(-32000, error instanceof Error ? error.message : 'The call failed')
        } finally {
          calls--
        }
        return
      }
      default:
        refuse(-32601, `Views here have no ${method.slice(0, 100)}`)
    }
  }
}

export const mostHeight = 800
