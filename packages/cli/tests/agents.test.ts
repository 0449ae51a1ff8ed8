import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
// oxlint-disable-next-line house/packages -- the model of the tests is the server's; nothing of it is in the program
import { startChatServer, type ChatServer } from '../../server/tests/harness/chat-server.ts'
import { runCoherex, startCoherex } from './run-coherex.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

// many programs are started one after the other
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let chat: ChatServer
let home: string
let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  chat = await startChatServer()
  ;({ home, url, stop } = await startRealServer({ COHEREX_COMPATIBLE_BASE_URL: chat.url }))
})
afterAll(async () => {
  await stop()
  await chat.stop()
})

const surroundings = () => ({ env: { COHEREX_URL: url, COHEREX_TOKEN: ownerKey }, cwd: home })
const coherex = (args: string[], stdin?: string) => runCoherex(args, { ...surroundings(), ...(stdin && { stdin }) })

const definition = 'kind: agent\nname: greeter\ndescription: Greets\ninstructions: Greet.\n# kept\n'

test('a definition is checked, pushed as versions, listed and pulled as it was written', async () => {
  writeFileSync(join(home, 'wrong.yaml'), 'kind: agent\nname: greeter\ndescripton: Greets\ninstructions: Greet.\n')
  const wrong = await coherex(['agent', 'validate', 'wrong.yaml'])
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toContain(
    'wrong.yaml:3:1: descripton there is no field “descripton” (Did you mean “description”?)',
  )
  expect((await coherex(['agent', 'push', 'wrong.yaml'])).code).toBe(2)

  writeFileSync(join(home, 'greeter.yaml'), definition)
  expect(await coherex(['agent', 'validate', 'greeter.yaml'])).toMatchObject({
    code: 0,
    stdout: 'greeter.yaml is valid\n',
  })
  expect((await coherex(['agent', 'push', 'greeter.yaml'])).stdout).toBe('greeter is stored as version 1, active\n')
  const again = await coherex(['agent', 'push', '-', '--note', 'by pipe'], definition)
  expect(again.stdout).toBe('greeter is stored as version 2, active\n')

  expect((await coherex(['agent', 'list'])).stdout).toMatch(/greeter\s+active\s+2\s+default\s+Greets/)
  expect((await coherex(['agent', 'pull', 'greeter'])).stdout).toBe(definition)
  expect((await coherex(['agent', 'pull', 'greeter', '-o', 'copy.yaml'])).code).toBe(0)
  expect(readFileSync(join(home, 'copy.yaml'), 'utf8')).toBe(definition)
  expect((await coherex(['agent', 'pull', 'nobody'])).code).toBe(6)
})

test('a question is answered as it is written, with the calls on the side and nothing that moves the cursor', async () => {
  chat.answer([
    { text: 'Let me look. ', calls: [{ name: 'list_files', arguments: { glob: '*.py' } }] },
    { text: 'Here \u001b[2J it is.' },
  ])
  const { code, stdout, stderr } = await coherex(['chat', 'coder', '-m', 'What is there?'])
  expect(code).toBe(0)
  expect(stdout).toContain('Let me look.')
  expect(stdout).toContain('it is.')
  expect(stdout).not.toContain('\u001b[2J')
  expect(stderr).toContain('· list_files {"glob":"*.py"}')
  expect(stderr).toContain('✗ list_files')
})

test('a provider that fails for good is said, and the command fails', async () => {
  chat.answer([{ status: 401 }])
  const { code, stderr } = await coherex(['chat', '-m', 'Hello'])
  expect(code).toBe(1)
  expect(stderr).toContain('It ended early: The provider refused the key')
})

test('Ctrl-C stops the turn on the server', async () => {
  chat.answer([{ text: 'one two three four five six seven eight nine ten', betweenMs: 1_000 }])
  const { child, ended, printed } = startCoherex(['chat', '-m', 'Count'], surroundings())
  await printed
  child.kill('SIGINT')
  const { code, stdout, stderr } = await ended
  expect(stdout).not.toContain('ten')
  expect(stderr).toContain('stopped it')
  expect(code).toBe(1)
})
