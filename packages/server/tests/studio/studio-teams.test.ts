import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium, launchChromium, openWindow } from '../harness/chromium.ts'
import { startTestServer, type TestServer } from '../harness/test-server.ts'

describe.skipIf(!hasChromium)('two people in two browsers', () => {
  let server: TestServer
  let browser: Browser
  let ada: Page
  let bob: Page

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startTestServer(), launchChromium()])
    ada = await openWindow(browser, server.url)
    bob = await openWindow(browser, server.url, { colorScheme: 'dark' })
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('the first owner comes by the printed link and sets up', { timeout: 120_000 }, async () => {
    await ada.goto(server.signInPath)
    await ada.getByLabel('Your name').fill('Ada Lovelace')
    await ada.getByLabel('E-mail').fill('ada@example.com')
    await ada.getByLabel('Password', { exact: true }).fill('analytical engine')
    await ada.getByLabel('Team name').fill('Engines')
    await ada.keyboard.press('Enter')
    await ada.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
    await expectAccessible(ada)
    // one click from there to the first result
    await ada.getByRole('button', { name: 'Run the example' }).click()
    const output = ada.getByRole('region', { name: 'Output of the example' })
    await output.getByRole('img').waitFor({ timeout: 60_000 })
    await output.getByText('succeeded').waitFor()
    await expectAccessible(ada)
  })

  test('an invited colleague joins by link, and each sees their own team only', { timeout: 120_000 }, async () => {
    await ada.goto('/settings/members?invite=true')
    await ada.getByLabel('E-mail').fill('bob@example.com')
    await ada.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    const link = (await ada.getByLabel('Invitation link').textContent()) ?? ''
    await bob.goto(new URL(link).pathname)
    await bob.getByLabel('Your name').fill('Bob Babbage')
    await bob.getByLabel('Password', { exact: true }).fill('difference engine')
    await bob.keyboard.press('Enter')
    await bob.getByRole('heading', { name: 'Hello, Bob' }).waitFor()
    await bob.getByRole('button', { name: 'Run the example' }).waitFor()
    await expectAccessible(bob)

    // Home asks each endpoint once
    const asked: string[] = []
    bob.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) asked.push(pathname)
    })
    // a change of a moment ago is rightly asked for again: only what every load asks twice is wrong
    await expect
      .poll(
        async () => {
          asked.length = 0
          await bob.reload({ waitUntil: 'networkidle' })
          await bob.getByRole('button', { name: 'Run the example' }).waitFor()
          return asked.filter((path, index) => asked.indexOf(path) !== index)
        },
        { timeout: 60_000 },
      )
      .toEqual([])
    expect(asked).toContain('/api/v1/me')
    bob.removeAllListeners('request')

    // a team of Bob's own, with a secret in it
    await command(bob, 'create team')
    await bob.getByRole('dialog').getByRole('textbox').fill('Calculators')
    await bob.keyboard.press('Enter')
    await inTeam(bob, 'Calculators')
    await bob.goto('/secrets?create=true')
    await bob.getByLabel('Name', { exact: true }).fill('BOBS_SECRET')
    await bob.getByLabel('Value').fill('known to nobody else')
    await bob
      .getByRole('dialog')
      .getByRole('button', { name: /^Store|^Save/ })
      .click()
    await bob.getByRole('row', { name: /BOBS_SECRET/ }).waitFor()
    expect(await bob.content()).not.toContain('known to nobody else')

    await ada.goto('/secrets')
    await ada.getByText('No secrets yet').waitFor()
    expect(await ada.content()).not.toContain('BOBS_SECRET')
    await ada.goto('/settings/audit')
    await ada.getByText('Bob Babbage').first().waitFor()
    expect(await ada.content()).not.toContain('BOBS_SECRET')
  })

  test(
    'every page is reached from the rail, and on a phone from the bottom bar and its sheet',
    { timeout: 120_000 },
    async () => {
      await ada.goto('/')
      const rail = ada.getByRole('navigation', { name: 'Places' })
      await rail.getByRole('button', { name: 'New' }).click()
      await ada.getByRole('menuitem', { name: 'Workspace' }).click()
      await ada.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Looms')
      await ada.keyboard.press('Enter')
      await ada.waitForURL(/\/workspaces\/wsp_/)
      // it is remembered by the title that its page fetches
      await expect.poll(() => ada.evaluate('JSON.stringify(localStorage)')).toContain('Looms')
      // the workbench folds the rail; elsewhere the workspace is among what was visited
      await ada.goto('/library')
      await ada.waitForURL(/\/agents$/)
      await rail.getByRole('link', { name: 'Looms' }).waitFor()
      await ada.getByRole('navigation', { name: 'Pages of Library' }).getByRole('link', { name: 'Skills' }).click()
      await ada.getByText('No skills yet').waitFor()

      await ada.setViewportSize({ width: 390, height: 800 })
      await ada.getByRole('button', { name: 'More' }).click()
      const sheet = ada.getByRole('dialog', { name: 'More' })
      await sheet.getByRole('link', { name: 'Variables' }).waitFor()
      await expectAccessible(ada)
      await sheet.getByRole('link', { name: 'Variables' }).click()
      await ada.getByText('No variables yet').waitFor()
      expect(await sheet.count()).toBe(0)
      await expectAccessible(ada)
      await ada.setViewportSize({ width: 1280, height: 800 })
    },
  )

  test('whoever is removed is out at once, without a reload', { timeout: 120_000 }, async () => {
    await command(bob, 'Switch to Engines')
    // a page that is left takes its requests with it
    await inTeam(bob, 'Engines')
    await bob.goto('/')
    await inTeam(bob, 'Engines')
    await ada.goto('/settings/members')
    await ada
      .getByRole('row', { name: /Bob Babbage/ })
      .getByRole('button')
      .last()
      .click()
    await ada.getByRole('menuitem', { name: /Remove/ }).click()
    await ada
      .getByRole('alertdialog')
      .getByRole('button', { name: /Remove/ })
      .click()
    await inTeam(bob, 'Calculators')
  })

  test('a new password is checked when it is sent, and signs in', { timeout: 120_000 }, async () => {
    await ada.goto('/settings/profile')
    await ada.getByLabel('Current password').fill('analytical engine')
    const chosen = ada.getByLabel('New password')
    await chosen.fill('short')
    expect(await ada.getByText('Use at least 10 characters.').count()).toBe(0)
    await ada.getByRole('button', { name: 'Change password' }).click()
    await ada.getByText('Use at least 10 characters.').waitFor()
    await chosen.fill('a loom of numbers')
    await ada.getByRole('button', { name: 'Change password' }).click()
    await ada.getByText('Your password is changed').first().waitFor()
    expect(await chosen.inputValue()).toBe('')

    const elsewhere = await openWindow(browser, server.url)
    await elsewhere.goto('/sign-in')
    await elsewhere.getByLabel('E-mail').fill('ada@example.com')
    await elsewhere.getByLabel('Password', { exact: true }).fill('a loom of numbers')
    await elsewhere.keyboard.press('Enter')
    await elsewhere.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  })
})

/** The foot of the rail says which team it is. */
const inTeam = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^Team ?${name}`) }).waitFor()

/** What the palette does for whoever types its name. */
async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).fill(name)
  await page.keyboard.press('Enter')
}
