import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
// oxlint-disable-next-line house/packages -- the model of the tests is the server's; nothing of it is in the program
import { startChatServer, type ChatServer } from '../../server/tests/harness/outside/chat-server.ts'
import { runCoherex, startCoherex } from './run-coherex.ts'
import { ownerKey, startRealServer } from './start-real-server.ts'

// many programs are started one after the other
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let chat: ChatServer
let home: string
let url: string
let stop: () => Promise<void>

beforeAll(async () => {
  chat = await startChatServer()
  const settings = { COHEREX_COMPATIBLE_BASE_URL: chat.url, COHEREX_WARM: 'false' }
  ;({ home, url, stop } = await startRealServer(settings))
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
  expect((await coherex(['agent', 'push', 'greeter.yaml'])).stdout).toBe('greeter is unchanged: version 1, active\n')
  const changed = `${definition}# more\n`
  const stale = await coherex(['agent', 'push', '-', '--expect', '7'], changed)
  expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining('"greeter" is at version 1 already, not 7') })
  const again = await coherex(['agent', 'push', '-', '--note', 'by pipe', '--expect', '1'], changed)
  expect(again.stdout).toBe('greeter is stored as version 2, active\n')

  expect((await coherex(['agent', 'list'])).stdout).toMatch(/greeter\s+active\s+2\s+0\s+default\s+Greets/)
  expect((await coherex(['agent', 'pull', 'greeter'])).stdout).toBe(changed)
  expect((await coherex(['agent', 'pull', 'greeter', '-o', 'copy.yaml'])).stdout).toBe('Wrote version 2 to copy.yaml\n')
  expect(readFileSync(join(home, 'copy.yaml'), 'utf8')).toBe(changed)
  writeFileSync(join(home, 'empty.yaml'), '')
  expect((await coherex(['agent', 'validate', 'empty.yaml'])).stdout).toContain('empty.yaml:1:1: must be a mapping')
  expect((await coherex(['agent', 'pull', 'nobody'])).code).toBe(6)
})

test('agent generate writes a definition from a description, to a file or standard output, and stores no agent', async () => {
  const draft = (source: string) => ({ calls: [{ name: 'draft_definition', arguments: { source } }] })
  const poet = definition.replace('greeter', 'poet')
  chat.answer([draft(poet), { text: 'There it is.' }])
  const shown = await coherex(['agent', 'generate', 'A poet'])
  expect(shown).toMatchObject({ code: 0, stdout: poet })
  chat.answer([draft(poet), { text: 'There it is.' }])
  const written = await coherex(['agent', 'generate', 'A poet', '-o', 'poet.yaml'])
  expect(written).toMatchObject({ code: 0, stdout: 'Wrote poet.yaml\n' })
  expect(readFileSync(join(home, 'poet.yaml'), 'utf8')).toBe(poet)
  chat.answer([draft('kind: agent\nname: poet\n'), { text: 'There it is.' }])
  const wrong = await coherex(['agent', 'generate', 'A poet', '-o', 'wrong-poet.yaml'])
  expect(wrong).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('wrong-poet.yaml:1:1: description is missing'),
  })
  expect((await coherex(['agent', 'pull', 'poet'])).code).toBe(6)
})

test('agent proposals shows what an agent proposes, what it newly allows and where a person decides', async () => {
  expect((await coherex(['agent', 'proposals', 'coder'])).stdout).toBe('Nothing is proposed for coder\n')
  const source = definition.replace('greeter', 'coder') + 'network: { allow: ["https://evil.example/"] }\n# \u202E\n'
  chat.answer([{ calls: [{ name: 'save_agent', arguments: { source } }] }, { text: 'Proposed.' }])
  expect((await coherex(['agent', 'run', 'builder', '--input', 'Take it'])).code).toBe(0)
  expect((await coherex(['agent', 'list'])).stdout).toMatch(/coder\s+active\s+built in\s+1\s/)
  const { stdout, stderr } = await coherex(['agent', 'proposals', 'coder'])
  expect(stdout).toContain('Version 1, by agent builder for')
  expect(stdout).toContain('- It may reach https://evil.example/\n')
  expect(stdout).toContain('+# <U+202E>')
  expect(stderr).toContain('in the studio: Agents, coder, Proposals')

  const inbox = await coherex(['inbox'])
  expect(inbox.stdout).toMatch(/agent:coder:1\s+.*builder proposes version 1 of agent coder/)
  // a key decides nothing that a signed-in person has to
  const refused = await coherex(['inbox', 'approve', 'agent:coder:1', '--yes'])
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(`${url}/inbox/agent%3Acoder%3A1`) })
  expect((await coherex(['inbox', 'dismiss', 'agent:coder:1'])).stderr).toContain('waits for a decision')
  expect((await coherex(['inbox', 'reject', 'prp_none'])).code).toBe(6)
})

test('an agent is run as a program, with its answer and an exit code, and its triggers are listed', async () => {
  writeFileSync(
    join(home, 'clock.yaml'),
    `${definition.replace('greeter', 'clock')}triggers: [{ schedule: "0 9 * * *" }]\n`,
  )
  expect((await coherex(['agent', 'push', 'clock.yaml'])).code).toBe(0)
  expect((await coherex(['agent', 'triggers', 'clock'])).stdout).toMatch(
    /schedule-1\s+schedule\s+active\s+0 9 \* \* \* UTC, next \d{4}-\S+T09:00:00.000Z\s+never/,
  )
  chat.answer(({ messages }) => ({ text: `Read: ${JSON.stringify(messages.at(-1)?.content)}` }))
  const asked = await coherex(['agent', 'run', 'clock', '--input', '-'], '{"a":1}')
  expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('\\"a\\": 1') })
  const begun = await coherex(['agent', 'run', 'clock', '--input', 'Go', '--no-wait'])
  expect(begun.stdout).toMatch(/^turn_\w+\n$/)
  chat.answer([{ status: 400 }])
  const failed = await coherex(['agent', 'run', 'clock', '--input', 'Go', '--json'])
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.stdout)).toMatchObject({ status: 'failed', output: null })
})

test('a skill is pushed from its folder, proposed with a lesser key, looked at, approved and pulled', async () => {
  mkdirSync(join(home, 'skills/greeting/scripts'), { recursive: true })
  const skill = join(home, 'skills/greeting/SKILL.md')
  writeFileSync(skill, '---\nname: greeting\n---\nGreet.\n')
  const wrong = await coherex(['skill', 'push', 'skills/greeting'])
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('skills/greeting/SKILL.md:2:1: description is missing')

  writeFileSync(skill, '---\nname: greeting\ndescription: Greets people\nmodel: x\n---\nGreet.\n')
  writeFileSync(join(home, 'skills/greeting/scripts/greet.py'), 'print("Hi")\n')
  const pushed = await coherex(['skill', 'push', 'skills/greeting'])
  expect(pushed.stdout).toBe('greeting is stored as version 1, active\n')
  expect(pushed.stderr).toContain('skills/greeting/SKILL.md:4:1: model is not known here: it is kept')

  const { stdout } = await coherex(['keys', 'create', 'writer', '--scopes', 'write', '--json'])
  const { key } = JSON.parse(stdout) as { key: string }
  writeFileSync(join(home, 'skills/greeting/scripts/greet.py'), 'print("H\u200Bello")\n')
  const lesser = (args: string[]) => runCoherex(args, { env: { COHEREX_URL: url, COHEREX_TOKEN: key }, cwd: home })
  expect((await lesser(['skill', 'push', 'skills/greeting'])).stdout).toContain('proposed as version 2')
  expect((await lesser(['skill', 'approve', 'greeting', '--yes'])).code).toBe(5)
  expect((await coherex(['skill', 'list'])).stdout).toMatch(/greeting\s+active\s+1\s+1\s+Greets people/)
  const shown = await coherex(['skill', 'approve', 'greeting'])
  expect(shown.stdout).toContain('+print("H<U+200B>ello")')
  expect(shown.stderr).toContain('add --yes to approve version 2')
  const approved = await coherex(['skill', 'approve', 'greeting', '--yes'])
  expect(approved.stdout).toBe('Version 2 of greeting is approved: agents get it\n')
  expect((await coherex(['skill', 'reject', 'greeting', '2'])).code).toBe(1)

  expect((await coherex(['skill', 'pull', 'greeting', '1', '-o', 'copy'])).stdout).toContain(
    'Wrote 2 files of version 1',
  )
  expect(readFileSync(join(home, 'copy/scripts/greet.py'), 'utf8')).toBe('print("Hi")\n')
  expect((await coherex(['skill', 'pull', 'greeting', '-o', 'copy'])).stderr).toContain('copy is not empty')
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
  expect(stderr.split('The provider refused the key')).toHaveLength(2)
})

test('Ctrl-C stops the turn on the server', async () => {
  // stopped long before its last word, however busy the machine is
  chat.answer([{ text: 'one two three four five six seven eight nine ten', betweenMs: 10_000 }])
  const { child, ended, printed } = startCoherex(['chat', '-m', 'Count'], surroundings())
  await printed
  child.kill('SIGINT')
  const { code, stdout, stderr } = await ended
  expect(stdout).not.toContain('ten')
  expect(stderr).toContain('stopped it')
  expect(code).toBe(1)
})

test('a call that waits for a person is said with where to answer, and Ctrl-C takes the question back', async () => {
  const source = `${definition.replace('greeter', 'careful')}tools: [bash]\napprovals: { bash: always }\n`
  expect((await coherex(['agent', 'push', '-'], source)).code).toBe(0)
  chat.answer([{ calls: [{ name: 'bash', arguments: { command: 'ls' } }] }])
  const { child, ended } = startCoherex(['chat', 'careful', '-m', 'Tidy up'], surroundings())
  const noted = new Promise<void>((resolve) => {
    child.stderr.on('data', (text: string) => text.includes('It waits for a person') && resolve())
  })
  // one that ended without a word would never be heard of
  await Promise.race([noted, ended])
  child.kill('SIGINT')
  const { code, stderr } = await ended
  expect(stderr).toMatch(/It waits for a person, who answers at http:\S+\/threads\/thr_\w+/)
  expect(stderr).toContain('stopped it')
  expect(code).toBe(1)
})

test('executions lists what agents did, shows a turn step by step, and does one again', async () => {
  chat.answer([
    { text: 'Let me look. ', calls: [{ name: 'list_files', arguments: { glob: '*.py' } }] },
    { text: 'There.' },
  ])
  await coherex(['chat', 'coder', '-m', 'Where is \u001b[2Jit?'])
  const listed = await coherex(['executions', '--agent', 'coder', '--kind', 'turn', '--limit', '1', '--json'])
  const { items } = JSON.parse(listed.stdout) as { items: { id: string; status: string; startedBy: object }[] }
  expect(items).toMatchObject([{ status: 'succeeded', startedBy: { kind: 'person', door: 'cli' } }])
  const id = items[0]?.id ?? ''

  const shown = await coherex(['executions', 'show', id])
  expect(shown.stdout).toMatch(/Step 1 .*first words after .*\n {10}list_files: .*\nStep 2 /)
  expect(shown.stdout).not.toContain('\u001b[2J')
  expect((await coherex(['executions', 'show', 'nothing'])).code).toBe(2)

  const [, next] = /^Started (turn_\w+)$/m.exec((await coherex(['executions', 'retry', id])).stdout) ?? []
  expect((await coherex(['executions', 'show', next ?? ''])).stdout).toContain(`Retry of  ${id}`)
})

test('thread ls shows author and reach; share and private decide who sees a conversation', async () => {
  chat.answer([{ text: 'Kept.' }])
  await coherex(['chat', 'coder', '--private', '-m', 'Keep this between us'])
  const list = async (...args: string[]) => (await coherex(['thread', 'ls', '--search', 'between us', ...args])).stdout
  const row = await list('--mine')
  expect(row).toMatch(/thr_\w+\s+private\s+\S.*\s+coder\s+key\s+\S+\s+\S/)
  const id = /thr_\w+/.exec(row)?.[0] ?? ''
  expect(await list('--team')).toBe('No conversations\n')
  expect((await coherex(['thread', 'share', id])).stdout).toBe(`Everyone in the team sees ${id} now\n`)
  expect(await list('--team')).toContain(id)
  expect((await coherex(['thread', 'private', id])).stdout).toBe(`Only you see ${id} now\n`)
  expect(JSON.parse((await coherex(['thread', 'archive', id, '--json'])).stdout)).toMatchObject({ isArchived: true })
  expect(await list()).toBe('No conversations\n')
  expect(await list('--archived')).toContain(id)
  expect((await coherex(['thread', 'share', 'nothing'])).code).toBe(2)
  expect((await coherex(['thread', 'ls', '--team', '--private'])).code).toBe(2)
})

test('thread show prints what was said, and what is queued while the agent works', async () => {
  const { promise: goOn, resolve } = Promise.withResolvers<void>()
  chat.answer(({ tools }) => (tools.length === 0 ? { text: 'Fruit' } : { text: 'Apples are fine.', halfway: goOn }))
  const headers = { authorization: `Bearer ${ownerKey}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    (await (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
      id: string
    }
  const { id } = await post('/api/v1/threads', { message: { text: 'Tell me of apples' } })
  await post(`/api/v1/threads/${id}/turns?wait=false`, { text: 'And pears' })
  const shown = await coherex(['thread', 'show', id])
  expect(shown.stdout).toMatch(/, \S+Z\nTell me of apples\n/)
  expect(shown.stdout).toMatch(/, \S+Z, queued\nAnd pears\n$/)
  resolve()
  await expect.poll(async () => (await coherex(['thread', 'show', id])).stdout).toMatch(/Z\nApples are fine\.\n/)
  expect((await coherex(['thread', 'show', 'nothing'])).code).toBe(2)
})
