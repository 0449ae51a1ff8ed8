// @vitest-environment happy-dom
import type { WorkspaceFile } from '@coherex/contract'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage, type AskedRequest, type OpenPage } from '../../../../tests/open-page.tsx'
import { fileTextQuery } from '../../../data/file.ts'
import { createQueryClient } from '../../../data/query/query-client.ts'
import { PackagesPanel } from './packages-panel.tsx'

const file = (path: string): WorkspaceFile => ({ path, kind: 'text', size: 1, hash: path, version: 1 })
const mayWrite = { may: true, why: undefined }
const packages = [{ name: 'polars', version: '1.9.0', integrity: 'sha256-a', size: 32_000_000 }]
const resolved = {
  lock: { hash: 'a'.repeat(64), language: 'python', requirements: ['polars'], packages },
  file: { path: 'pylock.toml', text: 'locked' },
}

/** As if the file had been read before. */
function withProject(text: string) {
  const queryClient = createQueryClient()
  const read = fileTextQuery('wsp_1', file('pyproject.toml')).queryKey
  queryClient.setQueryData(read, { text, hash: 'pyproject.toml', version: 1 })
  return queryClient
}

async function nextRequest(page: OpenPage, part: string): Promise<AskedRequest> {
  for (;;) {
    const request = page.takeRequests().find(({ path }) => path.includes(part))
    if (request) return request
    await act(() => new Promise((done) => setTimeout(done, 20)))
  }
}

test('PackagesPanel writes manifest and lock of a workspace as one version', async () => {
  const page = await openPage(
    <PackagesPanel id="wsp_1" files={[file('main.py')]} mayWrite={mayWrite} onOpen={vi.fn()} />,
  )
  await page.type(page.field('Python'), 'polars')
  await act(async () => {
    page.field('Python').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  })
  const first = await nextRequest(page, '/resolve')
  expect(first.body).toEqual({ language: 'python', requirements: ['polars'] })
  expect(page.field('Python').readOnly).toBe(true)
  await first.answer(200, resolved)
  const second = await nextRequest(page, '/resolve')
  expect(second.body).toEqual({ language: 'python', requirements: ['polars>=1.9.0'], lockFile: 'locked' })
  await second.answer(200, resolved)
  expect((await nextRequest(page, '/changes')).body).toEqual({
    message: 'Add polars',
    write: [
      { path: 'requirements.txt', text: 'polars>=1.9.0\n', expectedVersion: 0 },
      { path: 'pylock.toml', text: 'locked' },
    ],
  })
})

test('PackagesPanel writes packages and lock of a project beside its pyproject.toml', async () => {
  const onOpen = vi.fn()
  const files = [file('main.py'), file('pyproject.toml')]
  const text = '[project]\nname = "report"\ndependencies = ["httpx"]\n'
  const panel = <PackagesPanel id="wsp_1" files={files} mayWrite={mayWrite} onOpen={onOpen} />
  const page = await openPage(panel, withProject(text))
  await nextRequest(page, '/resolve')
  await page.press(page.button('pyproject.toml'))
  expect(onOpen).toHaveBeenCalledWith('pyproject.toml')

  await page.press(page.button('Write pylock.toml'))
  for (const lockFile of [{}, { lockFile: 'locked' }]) {
    const asked = await nextRequest(page, '/resolve')
    expect(asked.body).toEqual({ language: 'python', requirements: ['httpx'], ...lockFile })
    await asked.answer(200, resolved)
  }
  const written = await nextRequest(page, '/changes')
  expect(written.body).toMatchObject({
    message: 'Lock packages',
    write: [
      { path: 'pyproject.toml', text },
      { path: 'pylock.toml', text: 'locked' },
    ],
  })
})

test('PackagesPanel says why pyproject.toml cannot be read, and why a package was not added', async () => {
  const files = [file('main.py'), file('pyproject.toml'), file('tool.ts')]
  const panel = <PackagesPanel id="wsp_1" files={files} mayWrite={mayWrite} onOpen={vi.fn()} />
  const page = await openPage(panel, withProject('[project]\ndynamic = ["dependencies"]\n'))
  expect(document.body.textContent).toContain('Cannot read pyproject.toml: its dependencies are dynamic')
  expect(() => page.field('Python')).toThrow()
  await page.type(page.field('JavaScript'), 'left-pad')
  await act(async () => {
    page.field('JavaScript').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  })
  const refused = await nextRequest(page, '/resolve')
  await refused.answer(400, { error: { code: 'invalid_input', message: 'npm has no package called left-pad' } })
  await vi.waitFor(() => expect(page.alert()).toBe('npm has no package called left-pad'))
  expect(document.querySelector('li')).toBeNull()
})
