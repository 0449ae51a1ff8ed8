// @vitest-environment happy-dom
import { createClient } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { expect, test } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { Button } from '../button.tsx'
import { Field } from '../field/field.tsx'
import { FormError } from '../field/form-error.tsx'
import { Input } from '../field/input.tsx'
import { useForm } from './use-form.ts'

const call = createClient({ baseUrl: '', fetch: (url, init) => fetch(url, init) })

function InviteForm() {
  const form = useForm({
    draft: 'test',
    initial: { email: '', note: '', token: '' },
    secret: ['token'],
    fields: ['email'],
    check: ({ email }) => ({ email: email.includes('@') ? undefined : 'Not an address' }),
    send: ({ email }) => call(routes.teams.invite, { body: { email, role: 'viewer' } }),
  })
  return (
    <form onSubmit={form.submit}>
      <Field label="E-mail" error={form.errorOf('email')}>
        <Input {...form.text('email')} />
      </Field>
      <Field label="Note">
        <Input {...form.text('note')} />
      </Field>
      <Field label="Token">
        <Input {...form.text('token')} />
      </Field>
      <FormError error={form.error} />
      <Button type="submit" busy={form.busy}>
        Send
      </Button>
    </form>
  )
}

const errorAt = (field: HTMLInputElement) =>
  document.querySelector(`[id="${field.getAttribute('aria-describedby')}"]`)?.textContent

test('useForm says what is wrong with a field once it is sent, and as it is typed from then on', async () => {
  const page = await openPage(<InviteForm />)
  await page.type(page.field('E-mail'), 'nobody')
  expect(errorAt(page.field('E-mail'))).toBeUndefined()
  await page.press(page.button('Send'))
  expect(errorAt(page.field('E-mail'))).toBe('Not an address')
  expect(page.takeRequests()).toEqual([])
  await page.type(page.field('E-mail'), 'someone@example.com')
  expect(errorAt(page.field('E-mail'))).toBeUndefined()
})

test('useForm shows a refusal at its field, or below the form, and keeps what was typed', async () => {
  localStorage.clear()
  const page = await openPage(<InviteForm />)
  await page.type(page.field('E-mail'), 'someone@example.com')
  await page.press(page.button('Send'))
  const refused = { code: 'conflict', message: 'Cannot invite', details: [{ field: 'email', message: 'is a member' }] }
  await page.takeRequests()[0]?.answer(409, { error: refused })
  expect([errorAt(page.field('E-mail')), page.alert()]).toEqual(['is a member', undefined])

  await page.press(page.button('Send'))
  const elsewhere = { code: 'conflict', message: 'The team is full', details: [{ field: 'members' }] }
  await page.takeRequests()[0]?.answer(409, { error: elsewhere })
  expect([errorAt(page.field('E-mail')), page.alert()]).toEqual([undefined, 'The team is full'])
  expect(page.field('E-mail').value).toBe('someone@example.com')

  await page.press(page.button('Send'))
  const both = { ...refused, details: [...refused.details, ...elsewhere.details] }
  await page.takeRequests()[0]?.answer(409, { error: both })
  expect([errorAt(page.field('E-mail')), page.alert()]).toEqual(['is a member', 'Cannot invite'])
})

test('useForm sends once, and is empty after the server took it', async () => {
  localStorage.clear()
  const page = await openPage(<InviteForm />)
  await page.type(page.field('E-mail'), 'someone@example.com')
  await page.press(page.button('Send'))
  const requests = page.takeRequests()
  await page.press(page.button('Send'))
  expect([requests.length, page.takeRequests()]).toEqual([1, []])
  await requests[0]?.answer(201, {})
  expect(page.field('E-mail').value).toBe('')
  expect(localStorage.getItem('coherex.draft.test')).toBeNull()
})

test('useForm brings typed text back after a reload, and stores no secret', async () => {
  localStorage.clear()
  const before = await openPage(<InviteForm />)
  await before.type(before.field('Note'), 'half a sentence')
  await before.type(before.field('Token'), 'hush')
  expect(localStorage.getItem('coherex.draft.test')).not.toContain('hush')
  const after = await openPage(<InviteForm />)
  expect([after.field('Note').value, after.field('Token').value]).toEqual(['half a sentence', ''])
})
