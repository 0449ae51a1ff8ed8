// @vitest-environment happy-dom
import type { Tool } from '@coherex/contract'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { ToolVersions } from './tool-versions.tsx'

const version = {
  ...{ version: 1, state: 'approved', note: '', digest: 'd', size: 1, agent: null, threadId: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', createdBy: { id: 'per_1', name: 'Olga' } },
  ...{ decidedAt: null, decidedBy: null, decisionNote: null },
}
const lock = {
  ...{ hash: 'a'.repeat(64), language: 'python', requirements: ['polars'] },
  packages: [{ name: 'polars', version: '1.9.0', integrity: 'sha256-xyz', size: 32_000_000 }],
}

test('ToolVersions shows the lock of the version that is opened', async () => {
  const page = await openPage(<ToolVersions tool={{ name: 'greet', version: 1 } as Tool} onPublish={vi.fn()} />)
  await page.takeRequests()[0]?.answer(200, { items: [version], nextCursor: null })
  const line = [...document.querySelectorAll('button')].find((one) => one.textContent?.includes('Version 1'))
  await page.press(line as HTMLButtonElement)
  const asked = page.takeRequests().find(({ path }) => path.endsWith('/tools/greet/versions/1'))
  await asked?.answer(200, { ...version, definition: {}, input: true, output: true, lock, files: {} })
  const row = document.querySelector('[aria-label="Packages of the lock"] li')
  expect([row?.textContent, row?.querySelector('[title]')?.getAttribute('title')]).toEqual([
    expect.stringMatching(/^polars1\.9\.032 MB$/),
    'sha256-xyz',
  ])
})
