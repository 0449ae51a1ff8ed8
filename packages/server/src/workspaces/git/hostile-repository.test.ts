import { execFileSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startGitServer, type GitServer } from '../../../tests/harness/outside/git-server.ts'
import { createEgress } from '../../egress/index.ts'
import { refusePath } from './git-path.ts'
import { GitThread } from './git-thread.ts'

// a thread and git's own programs for each step
vi.setConfig({ testTimeout: 90_000 })

let place: GitServer
let elsewhere: Server
let elsewhereHits = 0
let repository = 0

beforeAll(async () => {
  place = await startGitServer()
  elsewhere = createServer((_request, response) => {
    elsewhereHits++
    response.end('a secret of the machine')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  place.intercept = undefined
})
afterAll(async () => {
  await place.stop()
  await new Promise((resolve) => elsewhere.close(resolve))
})

const elsewhereUrl = () => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`

async function read(url: string, options: { authorization?: string; totalMs?: number; open?: number[] } = {}) {
  const { authorization, totalMs, open = [place.port] } = options
  const egress = createEgress({ allowPrivate: open.map((port) => ({ host: '127.0.0.1', port })) })
  const thread = new GitThread({ egress, place: { url: new URL(url), authorization }, totalMs })
  try {
    return await thread.run({ kind: 'read', ref: undefined })
  } finally {
    thread.close()
  }
}

interface Entry {
  mode?: string
  name: string
  oid: string
}

/** Objects as a hostile server keeps them: git itself would not write them. */
class Maker {
  readonly name = `hostile-${++repository}`

  write(type: 'blob' | 'tree' | 'commit', bytes: Uint8Array): string {
    const args = ['hash-object', '-w', '-t', type, '--literally', '--stdin']
    return execFileSync('git', args, { cwd: place.folder(`${this.name}.git`), input: bytes })
      .toString()
      .trim()
  }

  tree(entries: Entry[]): string {
    const parts = entries.map(({ mode = '100644', name, oid }) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
    )
    return this.write('tree', Buffer.concat(parts))
  }

  async publish(tree: string): Promise<string> {
    const who = 'Eve <eve@example.org> 1700000000 +0000'
    const commit = this.write('commit', Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nhostile\n`))
    await place.git(`${this.name}.git`, 'update-ref', 'refs/heads/main', commit)
    return place.url(this.name)
  }
}

async function makeRepository(): Promise<Maker> {
  const maker = new Maker()
  await place.make(maker.name)
  return maker
}

test('a repository that does no harm is read', async () => {
  const maker = await makeRepository()
  const file = maker.write('blob', Buffer.from('fine'))
  const url = await maker.publish(maker.tree([{ name: 'a.txt', oid: file }]))
  const { files } = await read(url)
  expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([['a.txt', 'fine']])
})

test.each([
  ['..', '.', 'a/../b', '/etc/passwd', 'a//b', 'a\\b', 'x\u0001y', 'n'.repeat(300), 'd/'.repeat(600) + 'a'],
  ['.git', '.git/hooks/post-checkout', 'a/.GIT/config', 'git~1', '.git. ', '.g\u200cit', '.git::$INDEX_ALLOCATION'],
])('refusePath() refuses what leads out, and git’s own folder however a file system spells it', (...paths) => {
  for (const path of paths) expect(refusePath(path), path).toBeTypeOf('string')
  for (const path of ['a', '.gitignore', '.github/x.yml', 'git', 'a b/c.txt']) expect(refusePath(path)).toBe(undefined)
})

test('a tree with a path that leads out, into git’s own folder or to two things at once is refused as a whole', async () => {
  const published = ['..', '.GIT', 'a/b'].map(async (name) => {
    const maker = await makeRepository()
    const file = maker.write('blob', Buffer.from('x'))
    const below = maker.tree([{ name: 'config', oid: file }])
    const url = await maker.publish(maker.tree([{ name, oid: below, mode: '40000' }]))
    await expect(read(url), JSON.stringify(name)).rejects.toMatchObject({
      code: 'invalid_input',
      details: [{ field: 'url', message: expect.stringContaining('Cannot take') }],
    })
  })
  await Promise.all(published)
  const maker = await makeRepository()
  const file = maker.write('blob', Buffer.from('x'))
  const below = maker.tree([{ name: 'b', oid: file }])
  const twice = maker.tree([
    { name: 'a', oid: file },
    { name: 'a', oid: below, mode: '40000' },
  ])
  await expect(read(await maker.publish(twice))).rejects.toMatchObject({ message: expect.stringContaining('twice') })
})

test('few objects that stand for endless files, folders or bytes are refused', async () => {
  const wide = await makeRepository()
  let tree = wide.tree([{ name: 'a', oid: wide.write('blob', Buffer.from('x')) }])
  for (let level = 0; level < 5; level++) {
    tree = wide.tree(Array.from({ length: 20 }, (_, at) => ({ name: `d${at}`, oid: tree, mode: '40000' })))
  }
  await expect(read(await wide.publish(tree))).rejects.toMatchObject({ code: 'too_large' })

  const deep = await makeRepository()
  let down = deep.tree([{ name: 'a', oid: deep.write('blob', Buffer.from('x')) }])
  for (let level = 0; level < 40; level++) down = deep.tree([{ name: 'd', oid: down, mode: '40000' }])
  await expect(read(await deep.publish(down))).rejects.toMatchObject({ code: 'invalid_input' })

  const heavy = await makeRepository()
  const zeros = heavy.write('blob', Buffer.alloc(10_000_000))
  const many = Array.from({ length: 11 }, (_, at) => ({ name: `z${at}`, oid: zeros }))
  await expect(read(await heavy.publish(heavy.tree(many)))).rejects.toMatchObject({ code: 'too_large' })
})

test('what does not answer like git is told as such, and nothing of it is repeated', async () => {
  const answers: [string, number, string][] = [
    ['text/html', 200, '<h1>secret page</h1>'],
    ['application/x-git-upload-pack-advertisement', 200, 'zzzz not a packet'],
    ['application/x-git-upload-pack-advertisement', 200, '001e# service=git-upload-pack\n0000ffff'],
    ['text/plain', 500, 'a stack trace'],
  ]
  for (const [type, status, body] of answers) {
    place.intercept = (_request, response) => {
      response.writeHead(status, { 'content-type': type }).end(body)
      return true
    }
    const error = await read(place.url('nothing')).catch((one: unknown) => one)
    expect(error).toMatchObject({ name: 'CoherexError', details: [{ field: 'url' }] })
    expect(JSON.stringify(error) + String(error)).not.toMatch(/secret page|stack trace|zzzz/)
  }
  place.intercept = undefined
  await expect(read(place.url('no-such'))).rejects.toMatchObject({ code: 'not_found' })
})

test('redirects stay on the host, end, and carry the token nowhere else', async () => {
  place.intercept = (request, response) => {
    response.writeHead(302, { location: request.url }).end()
    return true
  }
  await expect(read(place.url('round'))).rejects.toMatchObject({ code: 'unavailable' })
  place.intercept = (_request, response) => {
    response.writeHead(302, { location: `${elsewhereUrl()}/info/refs?service=git-upload-pack` }).end()
    return true
  }
  const open = [place.port, Number(new URL(elsewhereUrl()).port)]
  await expect(read(place.url('away'), { authorization: 'Basic c2VjcmV0', open })).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('allow-list'),
  })
  await expect(read(`${elsewhereUrl()}/x.git`)).rejects.toMatchObject({ details: [{ field: 'url' }] })
  expect(elsewhereHits).toBe(0)
  const maker = await makeRepository()
  await maker.publish(maker.tree([{ name: 'a', oid: maker.write('blob', Buffer.from('moved')) }]))
  place.intercept = (request, response) => {
    if (!request.url?.startsWith('/old.git/')) return false
    response.writeHead(301, { location: request.url.replace('/old.git', `/${maker.name}.git`) }).end()
    return true
  }
  expect((await read(place.url('old'))).files).toHaveLength(1)
})

test('a server that never ends is given up, and so is one that sends too much', async () => {
  place.intercept = () => true
  const began = performance.now()
  await expect(read(place.url('slow'), { totalMs: 500 })).rejects.toMatchObject({ code: 'unavailable' })
  expect(performance.now() - began).toBeLessThan(20_000)
  const line = Buffer.alloc(1_000_000, 'x')
  place.intercept = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
    const send = () => {
      while (!response.destroyed && response.write(line));
    }
    response.on('drain', send)
    send()
    return true
  }
  await expect(read(place.url('endless'))).rejects.toMatchObject({ code: 'too_large' })
})
