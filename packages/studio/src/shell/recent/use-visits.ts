import { CoherexError } from '@coherex/contract'
import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { useMe } from '../../data/access/me.ts'
import { forgetThing, thingAt, thingDeleted, thingKinds, visitThing, type Thing } from './things.ts'
import { keepThingsOf, useThings } from './use-things.ts'

/** Remembers which things are visited, by what their pages fetch, and forgets those that are gone. */
export function useVisits(): void {
  const { person } = useMe()
  const queryClient = useQueryClient()
  const { change } = useThings()
  const shown = useShownThing()
  const { thing, isGone } = shown ?? {}
  const { kind, id, title } = thing ?? {}
  const visit = useEffectEvent((visited: Thing) => change((now) => visitThing(now, visited)))
  const forget = useEffectEvent((gone: Pick<Thing, 'kind' | 'id'>) => change((now) => forgetThing(now, gone)))

  useEffect(() => keepThingsOf(person.id), [person.id])
  useEffect(() => {
    if (!kind || !id) return
    if (isGone) forget({ kind, id })
    else if (title) visit({ kind, id, title })
  }, [kind, id, title, isGone])
  useEffect(
    () =>
      queryClient.getMutationCache().subscribe(({ mutation }) => {
        const [method, path] = mutation?.options.mutationKey ?? []
        if (method !== 'delete' || mutation?.state.status !== 'success') return
        const { params = {} } = (mutation.state.variables ?? {}) as { params?: Record<string, unknown> }
        const gone = thingDeleted(String(path), params)
        if (gone) forget(gone)
      }),
    [queryClient],
  )
}

/** The thing whose page is open, with the title its page fetched; undefined on other pages. */
export function useShownThing(): { thing: Thing; isGone: boolean } | undefined {
  const { pathname } = useLocation()
  const queryClient = useQueryClient()
  const at = thingAt(pathname)
  const facts = at && thingKinds[at.kind]
  const state = useSyncExternalStore(
    // batched, since pages ask while they are drawn
    (listener) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(listener)),
    () => facts && queryClient.getQueryState<Record<string, unknown>>(facts.queryKey(at.id)),
  )
  if (!at || !facts) return undefined
  const title = state?.data?.[facts.field]
  const { error } = state ?? {}
  const isGone = error instanceof CoherexError && (error.code === 'not_found' || error.code === 'invalid_input')
  return { thing: { ...at, title: typeof title === 'string' ? title : '' }, isGone }
}
