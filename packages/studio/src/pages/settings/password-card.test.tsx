// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { PasswordCard } from './password-card.tsx'

test('PasswordCard sends the passwords once both are given, and is empty after the server took them', async () => {
  const page = await openPage(<PasswordCard />)
  const [current, next] = [page.field('Current password'), page.field('New password')]
  expect(page.button('Change password').disabled).toBe(true)
  await page.type(current, 'the old password')
  expect(page.button('Change password').disabled).toBe(true)
  await page.type(next, 'a new password')
  expect(page.button('Change password').disabled).toBe(false)

  await page.press(page.button('Change password'))
  const [request] = page.takeRequests()
  expect(request).toMatchObject({
    method: 'POST',
    path: '/api/v1/password/change',
    body: { currentPassword: 'the old password', newPassword: 'a new password' },
  })
  expect(page.button('Change password').getAttribute('aria-busy')).toBe('true')
  await page.press(page.button('Change password'))
  expect(page.takeRequests()).toEqual([])

  await request?.answer(204)
  expect([current.value, next.value, page.alert()]).toEqual(['', '', undefined])
  expect(page.button('Change password').getAttribute('aria-busy')).toBeNull()
})

test('PasswordCard names a password that is too short and sends nothing', async () => {
  const page = await openPage(<PasswordCard />)
  await page.type(page.field('Current password'), 'the old password')
  await page.type(page.field('New password'), 'short')
  await page.press(page.button('Change password'))
  expect(page.takeRequests()).toEqual([])
  const field = page.field('New password')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  const told = field.getAttribute('aria-describedby')?.split(' ')[0]
  expect(document.querySelector(`[id="${told}"]`)?.textContent).toBe('Use at least 10 characters.')
})

test('PasswordCard keeps what was typed and tells why the server refused it', async () => {
  const page = await openPage(<PasswordCard />)
  await page.type(page.field('Current password'), 'not the password')
  await page.type(page.field('New password'), 'a new password')
  await page.press(page.button('Change password'))
  const error = { code: 'invalid_input', message: 'The current password is wrong' }
  await page.takeRequests()[0]?.answer(400, { error })
  await vi.waitFor(() => expect(page.alert()).toBe('The current password is wrong'))
  expect(page.field('Current password').value).toBe('not the password')
})

test('PasswordCard shows a password while its eye is open', async () => {
  const page = await openPage(<PasswordCard />)
  expect(page.field('Current password').type).toBe('password')
  await page.press(page.button('Show password'))
  expect(page.field('Current password').type).toBe('text')
  await page.press(page.button('Hide password'))
  expect(page.field('Current password').type).toBe('password')
})
