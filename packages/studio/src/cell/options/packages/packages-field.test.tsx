// @vitest-environment happy-dom
import { act, useState } from 'react'
import { expect, test } from 'vitest'
import { openPage, type AskedRequest, type OpenPage } from '../../../../tests/open-page.tsx'
import { PackagesField } from './packages-field.tsx'

const lock = {
  hash: 'a'.repeat(64),
  language: 'python',
  requirements: ['polars'],
  packages: [
    { name: 'polars', version: '1.9.0', integrity: 'sha256-a', size: 32_000_000 },
    { name: 'numpy', version: '2.2.1', integrity: 'sha256-b', size: null },
  ],
}
const info = {
  name: 'polars',
  summary: 'Fast data frames',
  versions: [
    { version: '1.9.0', publishedAt: '2026-01-01T00:00:00.000Z', size: 32_000_000 },
    { version: '1.8.2', publishedAt: null, size: null },
  ],
}

function Page({ initial = [] }: { initial?: string[] }) {
  const [requirements, setRequirements] = useState(initial)
  return (
    <>
      <PackagesField language="python" requirements={requirements} onChange={setRequirements} />
      <output>{requirements.join(' ')}</output>
    </>
  )
}

const asked = () => document.querySelector('output')?.textContent
const press = (key: string) =>
  act(async () => {
    document.querySelector('input')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  })
/** The next one it makes: what is typed settles first. */
async function nextRequest(page: OpenPage): Promise<AskedRequest> {
  for (;;) {
    const [request] = page.takeRequests()
    if (request) return request
    await act(() => new Promise((done) => setTimeout(done, 20)))
  }
}

test('PackagesField shows versions and sizes of the name that is typed, and Enter adds it', async () => {
  const page = await openPage(<Page />)
  await page.type(page.field('Packages'), 'polars')
  const lookUp = await nextRequest(page)
  expect(lookUp.path).toBe('/api/v1/packages/info?language=python&name=polars')
  await lookUp.answer(200, info)
  const options = [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)
  expect(options).toEqual([expect.stringContaining('Newest, 1.9.0 now'), expect.stringContaining('1.9.0'), '1.8.2'])
  expect(options[0]).toContain('32 MB')

  await press('Enter')
  expect(asked()).toBe('polars')
  const resolve = await nextRequest(page)
  expect(resolve).toMatchObject({ method: 'POST', body: { language: 'python', requirements: ['polars'] } })
  expect(document.querySelector('[role=status]')?.textContent).toBe('Resolving…')
  await resolve.answer(200, { lock, file: { path: 'pylock.toml', text: '' } })
  expect(document.querySelector('li')?.textContent).toBe('polars1.9.0')
  expect(document.querySelector('summary')?.textContent).toBe('Lock · 2 packages · at least 32 MB')
})

test('PackagesField says how far the lock is fetched, and why it cannot be', async () => {
  const page = await openPage(<Page initial={['polars']} />)
  await (await nextRequest(page)).answer(200, { lock, file: { path: 'pylock.toml', text: '' } })
  const fetching = await nextRequest(page)
  expect(fetching.body).toEqual({ language: 'python', requirements: ['polars'], fetch: 'wait' })
  const stream = await fetching.stream()
  const said = () => [...document.querySelectorAll('[role=status]')].map(({ textContent }) => textContent)
  await stream.send('progress', { line: 'Fetching 0 of 2 packages, 8 MB: polars (32 MB)' })
  expect(said()).toContain('Fetching 0 of 2 packages, 8 MB: polars (32 MB)')
  const message = 'Cannot add polars 1.9.0: its archive is not what the lock names'
  await stream.send('error', { code: 'invalid_input', message })
  expect(said()).not.toContain('Fetching 0 of 2 packages, 8 MB: polars (32 MB)')
  expect(page.field('Packages').getAttribute('aria-invalid')).toBe('true')
  expect(document.body.textContent).toContain(message)
})

test('PackagesField picks a version with the arrows, and takes the place of another one of that package', async () => {
  const page = await openPage(<Page initial={['Polars>=1']} />)
  await page.type(page.field('Packages'), 'polars')
  for (let request = await nextRequest(page); ; request = await nextRequest(page)) {
    const isInfo = request.path.includes('/info')
    await request.answer(200, isInfo ? info : { lock, file: { path: 'pylock.toml', text: '' } })
    if (isInfo) break
  }
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await press(key)
  expect(document.querySelector('[aria-selected=true]')?.textContent).toBe('1.8.2')
  await press('Enter')
  expect(asked()).toBe('polars==1.8.2')
  await press('Backspace')
  expect(asked()).toBe('')
})

test('PackagesField takes several at once, and removes one by its button', async () => {
  const page = await openPage(<Page />)
  await page.type(page.field('Packages'), 'polars, pandas >= 2, < 3')
  await press('Enter')
  expect(asked()).toBe('polars pandas>=2,<3')
  await page.press(page.button('Remove polars'))
  expect(asked()).toBe('pandas>=2,<3')
  expect(document.activeElement).toBe(page.field('Packages'))
})

test('PackagesField says at the field why a package cannot be had, and tries again', async () => {
  const page = await openPage(<Page initial={['polars']} />)
  const message = 'Cannot reach PyPI. Set COHEREX_PYPI_INDEX to a mirror.'
  await (await nextRequest(page)).answer(503, { error: { code: 'unavailable', message } })
  const input = page.field('Packages')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  const [described = ''] = input.getAttribute('aria-describedby')?.split(' ') ?? []
  expect(document.getElementById(described)?.textContent).toBe(message)
  await page.press(page.button('Try again'))
  await (await nextRequest(page)).answer(200, { lock, file: { path: 'pylock.toml', text: '' } })
  expect(input.getAttribute('aria-invalid')).toBeNull()
})
