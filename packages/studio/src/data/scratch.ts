import type { RouteRequest } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'

/** One's own workspace in the team; it is made when it is asked for first. */
export const openScratch = () => call(routes.workspaces.openScratch, {})

export const listFiles = (id: string) => call(routes.workspaces.listFiles, { params: { id } })

export const changeFiles = (id: string, body: RouteRequest<typeof routes.workspaces.changeFiles>['body']) =>
  call(routes.workspaces.changeFiles, { params: { id }, body })
