// @vitest-environment happy-dom
import type { WorkspaceFile } from '@coherex/contract'
import { act, useState } from 'react'
import { expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { openPage, type AskedRequest, type OpenPage } from '../../../../tests/open-page.tsx'
import { noOptions } from '../../../cell/options/typed-options.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { ConfigPanel } from './config-panel.tsx'
import { toolFileOf } from './tool-file-of.ts'

const file = (path: string): WorkspaceFile => ({ path, kind: 'text', size: 1, hash: path, version: 1 })
const may = { may: true, why: undefined }

const acts = () => ({ onPanel: vi.fn(), onPublish: vi.fn(), onOpen: vi.fn() })

function Panel({
  path,
  files,
  live,
  ...on
}: { path: string; files: readonly WorkspaceFile[]; live?: LiveWorkspace } & ReturnType<typeof acts>) {
  const [options, setOptions] = useState(noOptions)
  const given = { file: files.find((one) => one.path === path), live, options, mayRun: may, mayWrite: may }
  return <ConfigPanel id="wsp_1" path={path} files={files} {...given} onOptions={setOptions} {...on} />
}

async function nextRequest(page: OpenPage, part: string): Promise<AskedRequest> {
  for (;;) {
    const request = page.takeRequests().find(({ path }) => path.includes(part))
    if (request) return request
    await act(() => new Promise((done) => setTimeout(done, 20)))
  }
}

test('ConfigPanel shows the runtime that the server would choose, and why', async () => {
  const on = acts()
  const page = await openPage(<Panel path="lib/main.py" files={[file('lib/main.py')]} {...on} />)
  const first = await nextRequest(page, '/runs/route')
  expect(first.body).toEqual({ language: 'python', code: '', entry: 'lib/main.py', workspaceId: 'wsp_1' })
  await first.answer(200, {
    name: 'process',
    reason: 'the cheapest runtime that takes python',
    passedOver: [{ name: 'isolate', reason: 'it runs JavaScript' }],
  })
  await vi.waitFor(() => expect(document.body.textContent).toContain('Chosen: the cheapest runtime that takes python'))
  expect(document.body.textContent).toContain('Skipped: it runs JavaScript')

  await page.type(page.field('Memory (MB)'), '512')
  const second = await nextRequest(page, '/runs/route')
  expect(second.body).toMatchObject({ limits: { memoryMb: 512 } })
  await second.answer(400, { error: { code: 'invalid_input', message: 'Cannot run python on the runtime "isolate"' } })
  await vi.waitFor(() => expect(document.body.textContent).toContain('Cannot run python on the runtime'))

  await page.press(page.button('Packages of this workspace'))
  await page.press(page.button('Variables of this workspace'))
  expect(on.onPanel.mock.calls).toEqual([['packages'], ['variables']])
  await page.type(page.field('Time (s)'), '5')
  await page.press(page.button('Publish as tool…'))
  expect(on.onPublish).toHaveBeenCalledWith('lib/main.py', { limits: { timeoutMs: 5000, memoryMb: 512 } })
})

test('ConfigPanel types a schema into the tool.yaml of the folder, and publishes that folder', async () => {
  const text = new Y.Doc().getText('tool')
  text.insert(0, 'name: total # ours\n')
  const live = {
    textAt: () => ({ id: 'one', text }),
    onFiles: () => () => undefined,
  } as unknown as LiveWorkspace
  const on = acts()
  const files = [file('total/main.ts'), file('total/tool.yaml')]
  const page = await openPage(<Panel path="total/main.ts" files={files} live={live} {...on} />)
  await act(async () => document.querySelector<HTMLElement>('[aria-label="Written here"]')?.click())
  await page.press(page.button('Add field to input'))
  expect(text.toString()).toContain('# ours')
  expect(text.toString()).toContain('field1')
  await page.press(page.button('Publish as tool…'))
  expect(on.onPublish).toHaveBeenCalledWith('total/tool.yaml')
})

test('toolFileOf() finds the nearest tool.yaml around a file', () => {
  const files = [file('tool.yaml'), file('a/tool.yaml'), file('a/b/c.py')]
  expect(toolFileOf('a/b/c.py', files)?.path).toBe('a/tool.yaml')
  expect(toolFileOf('d.py', files)?.path).toBe('tool.yaml')
  expect(toolFileOf('d.py', [])).toBeUndefined()
})
