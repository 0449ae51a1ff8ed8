// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../../tests/open-page.tsx'
import { PublishDialog } from './publish-dialog.tsx'

const lines = () =>
  [...document.querySelectorAll('[aria-label=Checks] > li')].map((line) => [
    line.querySelector('svg')?.getAttribute('aria-label'),
    line.querySelector('span')?.textContent,
  ])

test('PublishDialog lists each check, leads to where one is met, and says when the version is published', async () => {
  const onShow = vi.fn()
  const page = await openPage(
    <PublishDialog tool={{ name: 'greet', version: 1 }} version={2} onClose={vi.fn()} onShow={onShow} />,
  )
  expect(lines()).toEqual([
    ['Not checked yet', 'Tests pass'],
    ['Not checked yet', 'Licence'],
    ['Not checked yet', 'Owner'],
    ['Not checked yet', 'Review'],
  ])

  await page.type(page.field('Note'), 'Louder')
  await page.press(page.button('Publish version 2'))
  const [asked] = page.takeRequests()
  expect([asked?.path, asked?.body]).toEqual(['/api/v1/tools/greet/publish', { version: 2, note: 'Louder' }])
  const failed = { name: 'tests', passed: false, message: '1 of 2 failed: loud: gave "hi"' }
  await asked?.answer(200, { published: false, version: 2, checks: [failed] })
  expect(lines()).toEqual([['Not met', 'Tests pass1 of 2 failed: loud: gave "hi"']])
  await page.press(page.button('Show tests'))
  expect(onShow).toHaveBeenCalledWith('tests')

  expect(page.field('Note').value).toBe('Louder')
  await page.press(page.button('Check again and publish'))
  const again = page.takeRequests().find(({ method }) => method === 'POST')
  await again?.answer(200, { published: true, version: 2, checks: [{ ...failed, passed: true, message: '2 passed' }] })
  expect(lines()).toEqual([['Met', 'Tests pass2 passed']])
  expect(document.body.textContent).toContain('Callers who name no version get version 2 now.')
  page.button('Done')
})

test('PublishDialog says that an older version is a way back', async () => {
  const page = await openPage(
    <PublishDialog tool={{ name: 'greet', version: 3 }} version={1} onClose={vi.fn()} onShow={vi.fn()} />,
  )
  expect(document.body.textContent).toContain('get version 1 instead of 3')
  page.button('Roll back to version 1')
})
