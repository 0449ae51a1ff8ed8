import { routes, type AttachedFile, type Attachment } from '@coherex/contract'
import { describe, expect, it } from 'vitest'
import { startAgentServer } from '../harness/agent-server.ts'
import type { TestPerson } from '../harness/test-server.ts'

const { chat, server, owner } = await startAgentServer()
const csv = 'team,sold\nnorth,12\nsouth,7\n'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function upload(name: string, body: string | Buffer, type = '', by: TestPerson = owner): Promise<Attachment> {
  const response = await by.fetch(`/api/v1/attachments?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { 'content-type': type || 'application/octet-stream' },
    body: body as never,
  })
  expect(response.status).toBe(201)
  return (await response.json()) as Attachment
}
const begin = (attachments: string[], more: object = {}) =>
  owner.call(routes.threads.create, { body: { title: 'Files', message: { text: 'Look', attachments }, ...more } })
const untilIdle = (id: string) =>
  expect
    .poll(async () => (await owner.call(routes.threads.get, { params: { id } })).activity, { timeout: 60_000 })
    .toBe('idle')
const filesOf = (parts: { type: string; data?: unknown }[] | undefined) =>
  parts?.flatMap(({ type, data }) => (type === 'data-file' ? (data as AttachedFile) : [])) ?? []

describe('a file that is attached to a message', () => {
  it('lies in the thread’s sandbox under a plain name, and the model is told where, what and how it begins', async () => {
    chat.answer(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'Read.' }
        : {
            calls: [{ name: 'bash', arguments: { command: 'cat files/sales.csv; wc -c < files/data.bin; ls files' } }],
          },
    )
    const one = await upload('../../sales\u202E.csv', csv, 'text/csv; charset=utf-8')
    expect(one).toMatchObject({ name: 'sales.csv', mediaType: 'text/csv', size: csv.length })
    const bytes = Buffer.from([0, 1, 2, 255])
    const two = await upload('data.bin', bytes)
    const three = await upload('sales.csv', 'other')
    const { id, messages } = await begin([one.id, two.id, three.id])
    expect(filesOf(messages[0]?.parts)).toMatchObject([
      { name: 'sales.csv', place: 'sandbox', path: 'files/sales.csv', head: csv },
      { name: 'data.bin', path: 'files/data.bin' },
      { path: 'files/sales-2.csv' },
    ])
    await untilIdle(id)
    const asked = JSON.stringify(chat.requests.findLast(({ tools }) => tools.length > 0)?.messages)
    expect(asked).toContain('files/sales.csv in your sandbox')
    expect(asked).toContain('north,12')
    const { messages: all } = await owner.call(routes.threads.get, { params: { id } })
    const call = all[1]?.parts.find(({ type }) => type === 'tool-bash') as { output?: { text: string } } | undefined
    expect(call?.output?.text).toBe(`${csv}4\ndata.bin\nsales-2.csv\nsales.csv\n`)
    const download = await owner.fetch(`/api/v1/attachments/${one.id}/content`)
    expect(download.headers.get('content-disposition')).toContain('attachment')
    expect(await download.text()).toBe(csv)
  }, 90_000)

  it('is written into the workspace of a thread that has one, beside what is there', async () => {
    chat.answer([{ text: 'I see.' }])
    const { id: workspaceId } = await owner.call(routes.workspaces.create, { body: { name: 'Desk' } })
    const path = 'uploads/notes.md'
    await owner.call(routes.workspaces.writeFile, { params: { id: workspaceId, path }, body: 'mine' })
    const { id } = await upload('notes.md', '# Notes')
    const thread = await begin([id], { workspaceId })
    expect(filesOf(thread.messages[0]?.parts)).toMatchObject([{ place: 'workspace', path: 'uploads/notes-2.md' }])
    const read = (at: string) => owner.call(routes.workspaces.readFile, { params: { id: workspaceId, path: at } })
    expect([await read(path), await read('uploads/notes-2.md')]).toEqual(['mine', '# Notes'])
    await untilIdle(thread.id)

    // one that is chosen later takes what comes then
    const later = await begin([])
    await untilIdle(later.id)
    const params = { id: later.id }
    const change = (to: string) => owner.call(routes.threads.change, { params, body: { workspaceId: to } })
    await expect(change('wsp_00000000000000000000')).rejects.toMatchObject({ code: 'not_found' })
    expect((await change(workspaceId)).workspaceId).toBe(workspaceId)
    const { id: third } = await upload('notes.md', 'third')
    const body = { text: 'This too', attachments: [third] }
    await owner.call(routes.threads.turn, { params, query: { wait: 'false' }, body })
    expect(await read('uploads/notes-3.md')).toBe('third')
    await untilIdle(later.id)
  })

  it('is part of the message where it is an image, and its uploader’s alone until it is said', async () => {
    chat.answer([{ text: 'A dot.' }])
    const image = await upload('dot.csv', png, 'text/csv')
    const editor = await server.invite(owner, 'editor')
    expect((await editor.fetch(`/api/v1/attachments/${image.id}/content`)).status).toBe(404)
    const theirs = editor.call(routes.threads.create, { body: { message: { text: 'Mine', attachments: [image.id] } } })
    await expect(theirs).rejects.toMatchObject({ code: 'not_found' })
    // a message that could not be said leaves it for the next try
    await expect(begin([image.id], { model: 'anthropic/claude-sonnet-5' })).rejects.toThrow('Anthropic')
    const { id, messages } = await begin([image.id])
    expect(messages[0]?.parts[0]).toMatchObject({ type: 'file', mediaType: 'image/png', filename: 'dot.csv' })
    await untilIdle(id)
    await expect(begin([image.id])).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is refused where the team has no room for it', async () => {
    await owner.call(routes.teams.setQuotas, { body: { storageMb: 1 } })
    const response = await owner.fetch('/api/v1/attachments?name=big.bin', {
      method: 'POST',
      body: Buffer.alloc(2_000_000) as never,
    })
    expect([response.status, JSON.stringify(await response.json())]).toEqual([
      429,
      expect.stringContaining('storage of 1 MB is full'),
    ])
  })
})
