// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openStudio, type OpenStudio } from '../../../../tests/open-studio.tsx'

const setup = {
  url: 'http://studio/mcp',
  revisions: ['2025-11-25'],
  published: [],
  snippets: [
    {
      ...{ client: 'claude-code', title: 'Claude Code', where: 'In a terminal', language: 'bash' },
      ...{ text: 'claude mcp add --header "Authorization: Bearer YOUR_KEY"', signedIn: 'claude mcp add' },
    },
  ],
}

/** Answers the request to an address, and lists that are asked for meanwhile as empty. */
async function answer(studio: OpenStudio, part: string, status: number, body: unknown) {
  for (;;) {
    for (const asked of studio.takeRequests()) {
      const isMeant = asked.path.endsWith(part)
      await asked.answer(isMeant ? status : 200, isMeant ? body : { items: [], nextCursor: null })
      if (isMeant) return asked.body
    }
    await act(() => new Promise((done) => setTimeout(done, 20)))
  }
}

test('McpPage creates a key and fills it into the snippets, and leads to the tools where none is published', async () => {
  const studio = await openStudio('/settings/mcp')
  await answer(studio, '/mcp', 200, setup)
  const links = () => [...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))
  await vi.waitFor(() => expect(document.body.textContent).toContain('No tool is published yet'))
  expect(links()).toContain('/tools')
  await act(async () => document.querySelector<HTMLElement>('[aria-label="API key"][role=radio]')?.click())
  expect(document.body.textContent).toContain('Bearer YOUR_KEY')
  await studio.press(studio.button('Create a key and fill it in'))
  const body = await answer(studio, '/keys', 201, { id: 'key_1', name: 'MCP client', key: 'chx_secret' })
  expect(body).toMatchObject({ name: 'MCP client', scopes: ['read', 'run'] })
  await vi.waitFor(async () => {
    // the lists of keys and clients are fetched again first
    for (const asked of studio.takeRequests()) await asked.answer(200, { items: [], nextCursor: null })
    expect(document.body.textContent).toContain('Bearer chx_secret')
  })
})
