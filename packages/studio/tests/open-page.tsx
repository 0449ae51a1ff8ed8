import type { Me } from '@coherex/contract'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'
import { meQuery } from '../src/data/access/me.ts'
import { createQueryClient } from '../src/data/query/query-client.ts'

/** One request of a page, and the answer that a test gives. */
export interface AskedRequest {
  method: string
  path: string
  body: unknown
  answer(status: number, body?: unknown): Promise<void>
  /** Answers with server-sent events, one after the other. */
  stream(): Promise<{ send(event: string, data: object): Promise<void> }>
}

/** A part of the studio in a document without a server: the test answers what it asks. */
export interface OpenPage {
  /** The control with this label. */
  field(label: string): HTMLInputElement
  button(name: string): HTMLButtonElement
  /** What is read aloud as an error; undefined when there is none. */
  alert(): string | undefined
  type(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void>
  press(button: HTMLButtonElement): Promise<void>
  /** Requests that were made since it was last asked. */
  takeRequests(): AskedRequest[]
}

const team = { id: 'team_1', name: 'First team', createdAt: '2026-01-01T00:00:00.000Z' }
export const me: Me = {
  person: { id: 'per_1', name: 'Olga Owner', email: 'olga@example.com', operator: true },
  team,
  role: 'owner',
  teams: [{ ...team, role: 'owner' }],
  setupDone: true,
  via: 'session',
  scopes: [],
}

/** Shows a part of the studio as the person who is signed in. */
export async function openPage(part: ReactNode, queryClient = createQueryClient()): Promise<OpenPage> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const requests: AskedRequest[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    requests.push({
      method: init.method ?? 'get',
      path: url,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      answer: (status, body) =>
        act(async () => {
          const headers = { 'content-type': 'application/json' }
          resolve(new Response(body === undefined ? null : JSON.stringify(body), { status, headers }))
          // a busy machine takes many turns to read the answer, then React is told in one of its own
          const turn = () => new Promise((done) => setTimeout(done))
          const isBusy = () => queryClient.isMutating() + queryClient.isFetching() > 0 && requests.length === 0
          for (let turns = 0; turns < 100 && isBusy(); turns++) await turn()
          await turn()
        }),
      async stream() {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
        const writer = writable.getWriter()
        await act(async () => resolve(new Response(readable, { headers: { 'content-type': 'text/event-stream' } })))
        return {
          send: (event, data) =>
            act(async () => {
              await writer.write(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
              await new Promise((done) => setTimeout(done, 20))
            }),
        }
      },
    })
    return promise
  })
  queryClient.setQueryData(meQuery.queryKey, me)
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  await act(async () => root.render(<QueryClientProvider client={queryClient}>{part}</QueryClientProvider>))
  // not by a hook of this module: files that share a process load it once
  onTestFinished(async () => {
    await act(async () => root.unmount())
    queryClient.clear()
    container.remove()
    vi.unstubAllGlobals()
  })

  // popups are drawn beside the page
  const shown = <T extends Element>(selector: string): T[] => [
    ...container.querySelectorAll<T>(selector),
    ...document.querySelectorAll<T>(`[data-base-ui-portal] ${selector}`),
  ]
  const present = <T extends Element>(found: T | null | undefined, name: string): T => {
    if (found) return found
    throw new Error(`There is no "${name}" in ${document.body.innerHTML}`)
  }
  return {
    field(label) {
      const one = shown<HTMLLabelElement>('label').find(({ textContent }) => textContent === label)
      return present(shown<HTMLInputElement>(`[id="${one?.htmlFor}"]`)[0], label)
    },
    button(name) {
      const all = shown<HTMLButtonElement>('button')
      return present(
        all.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name),
        name,
      )
    },
    alert: () => shown('[role=alert]')[0]?.textContent ?? undefined,
    type: (field, text) =>
      act(async () => {
        // past React's own setter, which would think that it wrote the text itself
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    press: (button) => act(async () => button.click()),
    takeRequests: () => requests.splice(0),
  }
}
