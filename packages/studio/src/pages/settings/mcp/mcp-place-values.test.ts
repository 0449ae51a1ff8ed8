import type { McpPlace } from '@coherex/contract'
import { expect, test } from 'vitest'
import { checkPlace, emptyPlace, toPlace, toPlaceValues } from './mcp-place-values.ts'

const sandboxed = {
  ...{ kind: 'sandboxed', command: 'serve', args: ['--root', 'My files', ''], language: 'javascript' },
  ...{ packages: ['npm:some-server', 'pypi:other'], env: { API_KEY: 'GIT_TOKEN', SAME: 'SAME' }, template: 'data@2' },
  network: { allow: ['https://api.example/'] },
} as const
const oauth = { kind: 'oauth', scope: 'read write', clientId: 'us', clientSecret: 'CLIENT_SECRET' } as const

test.each<McpPlace>([
  { kind: 'remote', url: 'https://mcp.example/', auth: { kind: 'none' } },
  { kind: 'remote', url: 'https://mcp.example/', auth: { kind: 'key', secret: 'A', header: 'X-Api-Key' } },
  { kind: 'remote', url: 'https://mcp.example/', auth: { kind: 'oauth' } },
  { kind: 'remote', url: 'https://mcp.example/', auth: oauth },
  sandboxed as unknown as McpPlace,
])('toPlace() gives what toPlaceValues() was given', (place) => {
  expect(toPlace(toPlaceValues(place))).toEqual(place)
})

test('packages of Python without a prefix keep their language', () => {
  const place = { ...sandboxed, language: 'python', packages: ['polars', 'npm:x'] } as unknown as McpPlace
  expect(toPlace(toPlaceValues(place))).toMatchObject({ packages: ['pypi:polars', 'npm:x'] })
})

test('checkPlace() finds a quote that is not closed', () => {
  expect(checkPlace({ ...emptyPlace, kind: 'sandboxed', command: `serve 'x` })).toEqual({
    command: 'A quote is not closed',
  })
})
