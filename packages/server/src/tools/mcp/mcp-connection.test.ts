import type { Transport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { openMcpConnection } from './mcp-connection.ts'

test('openMcpConnection() gives a silent server one time to answer, whatever it is asked meanwhile', async () => {
  const sent: unknown[] = []
  let isClosed = false
  const silent: Transport = {
    start: async () => {},
    send: async (message) => void sent.push(message),
    close: async () => void (isClosed = true),
  }
  const opening = openMcpConnection(() => silent, { server: 'mute', times: { answerMs: 100, callMs: 100 } })
  await expect(opening).rejects.toThrow('MCP server "mute" did not answer in time')
  expect(sent).toHaveLength(1)
  expect(isClosed).toBe(true)
})
