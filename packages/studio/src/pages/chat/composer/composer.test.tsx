// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { openPage, type AskedRequest } from '../../../../tests/open-page.tsx'
import { ChatDockContext } from '../chat-dock.ts'
import { Composer, type Said } from './composer.tsx'

/** The browser's request, which the test answers. */
class Upload {
  static all: Upload[] = []
  url = ''
  status = 0
  responseText = ''
  upload = { onprogress: (_: { loaded: number; total: number }) => undefined }
  onload = () => undefined
  onerror = () => undefined
  onabort = () => undefined

  constructor() {
    Upload.all.push(this)
  }
  open(_method: string, url: string) {
    this.url = url
  }
  setRequestHeader() {}
  send() {}
  abort() {
    this.onabort()
  }
  answer(status: number, body: unknown) {
    return act(async () => {
      this.status = status
      this.responseText = JSON.stringify(body)
      this.onload()
    })
  }
}

afterEach(() => {
  Upload.all = []
  localStorage.clear()
})

const said: Said[] = []
const composer = (onStop?: () => void) => (
  <Composer
    draftName="x"
    label="Message"
    placeholder=""
    onStop={onStop}
    onSend={async (one) => Boolean(said.push(one))}
  />
)
const attach = (...files: File[]) =>
  act(async () => {
    const input = document.querySelector('input[type=file]')
    Object.defineProperty(input, 'files', { value: files, configurable: true })
    input?.dispatchEvent(new Event('change', { bubbles: true }))
  })
const write = (text: string) =>
  act(async () => {
    const area = document.querySelector('textarea')
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, text)
    area?.dispatchEvent(new Event('input', { bubbles: true }))
  })
const chips = () => [...document.querySelectorAll('li')].map(({ textContent }) => textContent)

test('files of any kind are uploaded with progress, tried again, kept over a reload, and sent by id', async () => {
  vi.stubGlobal('XMLHttpRequest', Upload)
  const page = await openPage(composer())
  await attach(new File(['a,b'], 'sales.csv', { type: 'text/csv' }), new File(['x'], 'paper.pdf'))
  const [csv, pdf] = Upload.all
  expect(csv?.url).toBe('/api/v1/attachments?name=sales.csv')
  await act(async () => csv?.upload.onprogress({ loaded: 2, total: 4 }))
  expect(chips()).toEqual(['sales.csv50 % of 3 B', 'paper.pdf0 % of 1 B'])
  await write('Look')
  expect(page.button('Files are being uploaded').disabled).toBe(true)
  await csv?.answer(201, { id: 'att_1', name: 'sales.csv', mediaType: 'text/csv', size: 3 })
  await pdf?.answer(429, { error: { code: 'quota_exceeded', message: 'The storage is full' } })
  expect(chips()).toEqual(['sales.csv3 B · to the sandbox', 'paper.pdfThe storage is full'])
  await page.press(page.button('Upload paper.pdf again'))
  await Upload.all[2]?.answer(201, { id: 'att_2', name: 'paper.pdf', mediaType: 'application/pdf', size: 1 })

  const after = await openPage(composer())
  expect(chips().slice(2)).toEqual(['sales.csv3 B · to the sandbox', 'paper.pdf1 B · to the sandbox'])
  const send = [...document.querySelectorAll('button')].findLast((one) => one.getAttribute('aria-label') === 'Send')
  if (send) await after.press(send)
  expect(said.splice(0)).toEqual([{ text: 'Look', attachments: ['att_1', 'att_2'] }])
  expect(chips().slice(2)).toEqual([])
})

test('while the agent works what is written is queued, and the turn can be stopped', async () => {
  const stop = vi.fn<() => void>()
  const page = await openPage(composer(stop))
  await page.press(page.button('Stop'))
  expect(stop).toHaveBeenCalledOnce()
  await write('And this')
  await page.press(page.button('Queue message'))
  expect(said.splice(0)).toEqual([{ text: 'And this' }])
})

const press = (key: string) =>
  act(async () => {
    document.querySelector('textarea')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  })
const options = () => [...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)

test('Composer offers files of the workspace after @, and tells the agent those that are mentioned', async () => {
  const page = await openPage(
    <Composer
      draftName="mention"
      label="Message"
      placeholder=""
      workspaceId="wsp_1"
      onSend={async (one) => Boolean(said.push(one))}
    />,
  )
  await write('Mend @ma')
  const file = (path: string) => ({ path, kind: 'text', size: 1, hash: path, version: 1 })
  const items = ['lib/main.py', 'main.py', 'my map.md', 'other.txt'].map(file)
  let asked: AskedRequest | undefined
  while (!asked) {
    await act(() => new Promise((done) => setTimeout(done, 20)))
    ;[asked] = page.takeRequests()
  }
  await asked.answer(200, { items, version: 1 })
  expect(options()).toEqual(['lib/main.py', 'main.py', 'my map.md'])
  await press('ArrowDown')
  await press('Enter')
  expect(document.querySelector('textarea')?.value).toBe('Mend @main.py ')
  expect(options()).toEqual([])
  await write('Mend @main.py by @map')
  await press('Escape')
  expect(options()).toEqual([])
  await write('Mend @main.py by ')
  await write('Mend @main.py by @map')
  expect(said).toEqual([])
  await press('Enter')
  await press('Enter')
  expect(said.splice(0)).toEqual([
    { text: 'Mend @main.py by @"my map.md" \n\n(Mentioned files, to be read: `main.py`, `my map.md`)' },
  ])
})

test('Composer sends the open file with the selected lines, and leaves out the lines whose chip is taken away', async () => {
  const selected = { from: 3, to: 4, text: 'x = 1\n```' }
  const leaveOut = vi.fn<() => void>()
  const dock = {
    about: { workspaceId: 'wsp_1' },
    onBegun: () => undefined,
    openFile: 'a.py',
    onLeaveOut: () => undefined,
    ...{ selected, onLeaveOutLines: leaveOut },
  }
  const page = await openPage(<ChatDockContext value={dock}>{composer()}</ChatDockContext>)
  await write('Why?')
  await page.press(page.button('Send'))
  expect(said.splice(0)).toEqual([
    { text: 'Why?\n\n(Open file: `a.py`, lines 3–4 selected:)\n\n````\nx = 1\n```\n````' },
  ])
  await page.press(page.button('Leave out lines 3–4'))
  expect(leaveOut).toHaveBeenCalledOnce()
})
