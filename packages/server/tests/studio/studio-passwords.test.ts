import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible, hasChromium } from '../harness/chromium.ts'
import { startMailbox, type Mailbox } from '../harness/outside/mailbox.ts'
import { openStudio, type Studio } from '../harness/studio.ts'

const story = { timeout: 120_000 }

describe.skipIf(!hasChromium)('someone who forgot their password', () => {
  let mailbox: Mailbox
  let studio: Studio
  let away: Page

  beforeAll(async () => {
    mailbox = await startMailbox()
    studio = await openStudio({ COHEREX_SMTP_URL: mailbox.url, COHEREX_MAIL_FROM: 'coherex@example.com' })
    away = await studio.openWindow({ colorScheme: 'dark' })
  })
  afterAll(async () => {
    await studio.close()
    await mailbox.stop()
  })

  const signInWith = async (password: string) => {
    await away.getByLabel('E-mail').fill(studio.owner.email)
    await away.getByLabel('Password', { exact: true }).fill(password)
    await away.keyboard.press('Enter')
  }

  test('asks for a link, sets a new one by it, and is signed out wherever they were', story, async () => {
    await studio.page.goto('/')
    await studio.page.getByRole('heading', { name: 'Hello, Olga' }).waitFor()

    await away.goto('/sign-in')
    await away.getByLabel('E-mail').fill(studio.owner.email)
    await away.getByRole('link', { name: /Forgot/ }).click()
    // what was typed is not typed twice
    const email = away.getByLabel('E-mail')
    await expect.poll(() => email.inputValue()).toBe(studio.owner.email)
    await expectAccessible(away)
    await away.getByRole('button', { name: 'Send reset link' }).click()
    await away.getByRole('status').getByText(studio.owner.email).waitFor()
    await expectAccessible(away)

    const [letter = ''] = await mailbox.lettersTo(studio.owner.email, 1)
    const [, path = ''] = /https?:\/\/[^/\s]+(\/reset\/[\w-]{32})/.exec(letter) ?? []
    await away.goto(path)
    const field = away.getByLabel('New password', { exact: true })
    await field.fill('short')
    await away.keyboard.press('Enter')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(away)
    await field.fill('remembered from now on')
    await away.keyboard.press('Enter')
    await away.getByText('Every browser that was signed in as you has been signed out.').waitFor()
    await expectAccessible(away)

    await studio.page.reload()
    await studio.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await away.getByRole('link', { name: 'Sign in' }).click()
    await signInWith(studio.owner.password)
    await away.getByRole('alert').waitFor()
    await signInWith('remembered from now on')
    await away.getByRole('heading', { name: 'Hello, Olga' }).waitFor()

    // a link is used once
    await studio.page.goto(path)
    await studio.page.getByLabel('New password', { exact: true }).fill('somebody found the letter')
    await studio.page.keyboard.press('Enter')
    await studio.page.getByRole('alert').waitFor()
  })

  test('is told the same when nobody has the address', story, async () => {
    const stranger = await studio.openWindow({})
    await stranger.goto('/forgot')
    await stranger.getByLabel('E-mail').fill('stranger@example.com')
    await stranger.keyboard.press('Enter')
    await stranger.getByRole('status').getByText('stranger@example.com').waitFor()
    expect(await mailbox.lettersTo('stranger@example.com', 0)).toEqual([])
  })
})
