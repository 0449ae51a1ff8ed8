// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage, type OpenPage } from '../../../../tests/open-page.tsx'
import { AddTriggerDialog } from './add-trigger-dialog.tsx'

const settle = () => act(async () => new Promise((done) => setTimeout(done, 350)))

/** The question for the next runs that was asked last. */
async function lastAsked(page: OpenPage) {
  await settle()
  return page.takeRequests().findLast(({ path }) => path.startsWith('/api/v1/schedules/next'))
}

test('AddTriggerDialog shows the next runs of a schedule, and gives it as the definition says it', async () => {
  const onAdd = vi.fn<(trigger: object) => void>()
  const page = await openPage(<AddTriggerDialog of="agent" onAdd={onAdd} onClose={() => undefined} />)
  await page.type(page.field('Time'), '07:30')
  await page.type(page.field('Time zone'), 'Europe/Berlin')
  const asked = await lastAsked(page)
  expect(new URL(asked?.path ?? '', 'http://here').searchParams.get('schedule')).toBe('30 7 * * 1-5')
  await asked?.answer(200, {
    next: ['2030-01-07T06:30:00.000Z', '2030-01-08T06:30:00.000Z', '2030-01-09T06:30:00.000Z'],
  })
  expect([...document.querySelectorAll('time')].map(({ dateTime }) => dateTime.slice(8, 10))).toEqual([
    '07',
    '08',
    '09',
  ])
  await page.press(page.button('Add trigger'))
  expect(onAdd).toHaveBeenCalledWith({ schedule: '30 7 * * 1-5', timezone: 'Europe/Berlin' })
})

test('AddTriggerDialog names what is wrong with a time zone and adds nothing', async () => {
  const page = await openPage(<AddTriggerDialog of="agent" onAdd={() => undefined} onClose={() => undefined} />)
  await page.type(page.field('Time zone'), 'Mars/Olympus')
  const asked = await lastAsked(page)
  const message = 'The time zone is unknown: use a name such as Europe/Berlin'
  await asked?.answer(400, { error: { code: 'invalid_input', message, details: [{ field: 'timezone', message }] } })
  const field = page.field('Time zone')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(document.body.textContent).toContain(message)
  expect(page.button('Add trigger').disabled).toBe(true)
  await page.type(field, 'Europe/Berlin')
  await (await lastAsked(page))?.answer(200, { next: ['2030-01-07T06:30:00.000Z'] })
  expect(page.button('Add trigger').disabled).toBe(false)
})

test('AddTriggerDialog gives a webhook without asking for times', async () => {
  const onAdd = vi.fn<(trigger: object) => void>()
  const page = await openPage(<AddTriggerDialog of="agent" onAdd={onAdd} onClose={() => undefined} />)
  await act(async () => document.querySelector<HTMLElement>('[aria-label=Webhook]')?.click())
  await page.press(page.button('Add trigger'))
  expect(onAdd).toHaveBeenCalledWith({ webhook: {} })
})

test('AddTriggerDialog takes the input of a tool as JSON', async () => {
  const onAdd = vi.fn<(trigger: object) => void>()
  const edited = { name: 'orders', webhook: {}, input: { days: 1 } }
  const page = await openPage(<AddTriggerDialog of="tool" edited={edited} onAdd={onAdd} onClose={() => undefined} />)
  const field = page.field('Input of the tool')
  expect(field.value).toBe('{"days":1}')
  await page.type(field, '{"days":')
  expect(page.button('Change trigger').disabled).toBe(true)
  expect(document.body.textContent).toContain('This is not valid JSON.')
  await page.type(field, '{"days":2}')
  await page.press(page.button('Change trigger'))
  expect(onAdd).toHaveBeenCalledWith({ name: 'orders', webhook: {}, input: { days: 2 } })
})
