import { expect, test } from 'vitest'
import { createEgress } from '../../egress/index.ts'
import type { ToolContext } from '../turn/tool.ts'
import { fetchUrlTool } from './fetch-url.ts'

const approved = { signal: new AbortController().signal, isApproved: true } as ToolContext

test.each([
  ['an address that a person allowed and the guard does not', [], 'https://api.test/a/%2e%2e%2fb'],
  ['an address with a name and a password', [], 'https://me:secret@api.test/'],
  ['an entry of the list that cannot be one', ['https://*.test/'], 'https://api.test/'],
])('fetch_url tells the model of %s', async (_, allow, url) => {
  const tool = fetchUrlTool(createEgress(), { allow, asksOutside: true })
  await expect(tool.run({ url }, approved)).rejects.toMatchObject({
    name: 'CoherexError',
    code: 'forbidden',
    message: expect.stringMatching(/^Cannot (allow|fetch) /),
  })
})
