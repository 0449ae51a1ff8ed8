import type { ConsentRequest } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'

/** The address for MCP clients, what they find there and what to paste into them. */
export const useMcpSetup = () =>
  useQuery({ queryKey: ['tool', 'mcp'], queryFn: ({ signal }) => call(routes.mcp.setup, {}, { signal }) })

export const useMcpClients = () =>
  useQuery({ queryKey: ['key', 'mcp-clients'], queryFn: ({ signal }) => call(routes.mcp.clients, {}, { signal }) })

export const useMcpClientRevoke = () => useCall(routes.mcp.revokeClient, { changes: ['key'] })

export const useConsentDetails = (request: ConsentRequest) =>
  useQuery({
    queryKey: ['key', 'consent', request],
    queryFn: ({ signal }) => call(routes.oauth.describe, { query: request }, { signal }),
    retry: false,
  })

export const useConsentDecide = () => useCall(routes.oauth.decide, { changes: ['key'] })
