import { routes } from '@coherex/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium, launchChromium, openWindow } from '../harness/chromium.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const story = { timeout: 180_000 }

describe.skipIf(!hasChromium)('variables in the studio', () => {
  let server: TestServer
  let browser: Browser
  let owner: TestPerson
  let page: Page

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startTestServer(), launchChromium()])
    owner = await server.owner()
    page = await openWindow(browser, server.url, { person: owner })
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('someone sets variables of a workspace and of an agent, and a run says whose it found', story, async () => {
    const { id } = await owner.call(routes.workspaces.create, { body: { name: 'Settings' } })
    const body = 'console.log("region", env.VARS.REGION)\n'
    await owner.call(routes.workspaces.writeFile, { params: { id, path: 'main.js' }, body })
    await page.goto(`/workspaces/${id}?file=main.js`)
    await page.getByRole('button', { name: 'Open the right dock' }).click()
    await page.getByRole('tab', { name: 'Variables' }).click()
    await page.getByText('No variables yet').waitFor()
    await page.getByRole('button', { name: 'Add variable' }).click()
    const adding = page.getByRole('dialog', { name: 'Add variable' })
    await adding.getByLabel('Name').fill('1ST')
    await adding.getByLabel('Value').fill('north')
    await adding.getByRole('button', { name: 'Add variable' }).click()
    await adding.getByText('Start with a letter or _.').waitFor()
    await expectAccessible(page)
    await adding.getByLabel('Name').fill('REGION')
    await adding.getByRole('button', { name: 'Add variable' }).click()
    const set = page.getByRole('list', { name: 'Variables' })
    await set.getByText('=north').waitFor()

    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('region north').waitFor()
    await page.getByRole('tab', { name: 'Input' }).click()
    await page.getByRole('listitem').filter({ hasText: 'of the workspace' }).getByText('REGION').waitFor()

    await page.getByRole('button', { name: 'Delete REGION' }).click()
    await page.getByText('No variables yet').waitFor()
    const told = page.getByRole('dialog', { name: /REGION/ })
    await told.getByRole('button', { name: 'Undo' }).click()
    await set.getByText('=north').waitFor()
    await expectAccessible(page)

    const source = 'kind: agent\nname: analyst\ndescription: Counts\ninstructions: Count.\n'
    await owner.call(routes.agents.create, { body: { source } })
    const params = { name: 'analyst', variable: 'TONE' }
    await owner.call(routes.variables.putOfAgent, { params, body: { value: 'dry' } })
    await page.goto('/agents/analyst')
    await page.getByRole('tab', { name: 'Access' }).click()
    await page.getByRole('button', { name: 'Change TONE' }).click()
    const changing = page.getByRole('dialog', { name: 'Change TONE' })
    await changing.getByLabel('Value').fill('warm')
    await changing.getByRole('button', { name: 'Change value' }).click()
    await set.getByText('=warm').waitFor()
    const { items } = await owner.call(routes.variables.listOfAgent, { params: { name: 'analyst' } })
    expect(items).toMatchObject([{ name: 'TONE', value: 'warm' }])
  })
})
