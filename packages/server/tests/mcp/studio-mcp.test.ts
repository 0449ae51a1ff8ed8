import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@coherex/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const story = { timeout: 180_000 }

describe.skipIf(!hasChromium)('MCP in the studio', () => {
  let studio: Studio
  let page: Page
  const client = createServer((_, answer) => answer.end('Signed in. You may close this window.'))
  let redirectUri: string
  beforeAll(async () => {
    await once(client.listen(0, '127.0.0.1'), 'listening')
    redirectUri = `http://127.0.0.1:${String((client.address() as AddressInfo).port)}/callback`
    studio = await openStudio()
    ;({ page } = studio)
  })
  afterAll(async () => {
    await studio.close()
    client.closeAllConnections()
    client.close()
  })

  test('a person lets a client in on the consent page, finds it in the settings and revokes it', story, async () => {
    const { server, owner } = studio
    const registered = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      body: JSON.stringify({ client_name: 'Notes app', redirect_uris: [redirectUri] }),
    })
    const { client_id: clientId } = (await registered.json()) as { client_id: string }
    const verifier = 'v'.repeat(43)
    const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))).toString(
      'base64url',
    )
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: '12345678901234567890',
      scope: 'read run',
      resource: `${server.url}/mcp`,
    })
    await page.goto(`/oauth/authorize?${query.toString()}`)
    await page.getByRole('heading', { name: 'Let Notes app in?' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('checkbox', { name: /^Run/ }).click()
    await page.getByRole('button', { name: 'Let it in' }).click()
    await page.getByText('You may close this window.').waitFor()
    const back = new URL(page.url()).searchParams
    expect({ state: back.get('state'), iss: back.get('iss') }).toEqual({
      state: '12345678901234567890',
      iss: server.url,
    })
    const form = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirectUri }
    const answer = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, code: back.get('code') ?? '', code_verifier: verifier }),
    })
    expect(await answer.json()).toMatchObject({ scope: 'read' })

    await page.goto('/settings/mcp')
    await page.getByRole('list', { name: 'Connected clients' }).getByText('Notes app').waitFor()
    await page.getByRole('radio', { name: 'API key' }).click()
    await page.getByLabel('Snippet for Claude Code').getByText(`${server.url}/mcp --header`).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText('No client is connected.').waitFor()
    expect((await owner.call(routes.mcp.clients, {})).items).toEqual([])
  })
})
