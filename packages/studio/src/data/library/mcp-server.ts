import { queryOptions, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'

export const useMcpServerList = () =>
  useQuery({
    queryKey: ['mcp-server', 'list'],
    queryFn: ({ signal }) => call(routes.mcpServers.list, {}, { signal }),
  })

export const mcpToolsQuery = (name: string) =>
  queryOptions({
    queryKey: ['mcp-server', 'tools', name],
    queryFn: ({ signal }) => call(routes.mcpServers.tools, { params: { name } }, { signal }),
  })

const changes = ['mcp-server', 'inbox', 'agent'] as const

export const useMcpServerAdd = () => useCall(routes.mcpServers.add, { changes })
export const useMcpServerChange = () => useCall(routes.mcpServers.change, { changes })
export const useMcpServerRefresh = () => useCall(routes.mcpServers.refresh, { changes })
export const useMcpServerConnect = () => useCall(routes.mcpServers.connect, { changes })
export const useMcpServerApprove = () => useCall(routes.mcpServers.approve, { changes })
export const useMcpServerRemove = () => useCall(routes.mcpServers.remove, { changes })
