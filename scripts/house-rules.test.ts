import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const project = join(import.meta.dirname, '..')
const src = 'packages/server/src'
const studio = 'packages/studio/src'

/** Each file of a planted tree, and the rules that must catch it; none means that it is legal. */
const plants: { title: string; path: string; code: string; caught: string[] }[] = [
  // rooms
  {
    title: 'an upward import',
    path: `${src}/access/up.ts`,
    code: `import { a } from '../runs/index.ts'\nexport const b = a`,
    caught: ['house(rooms)'],
  },
  {
    title: 'an upward type import',
    path: `${src}/access/up-type.ts`,
    code: `export type B = import('../runs/index.ts').A`,
    caught: ['house(rooms)'],
  },
  {
    title: 'an upward dynamic import',
    path: `${src}/access/up-later.ts`,
    code: `export const b = await import('../runs/index.ts')`,
    caught: ['house(rooms)'],
  },
  {
    title: 'an upward re-export',
    path: `${src}/access/up-again.ts`,
    code: `export { a } from '../runs/index.ts'`,
    caught: ['house(rooms)'],
  },
  {
    title: 'a room importing main.ts',
    path: `${src}/api/main-user.ts`,
    code: `import { main } from '../main.ts'\nexport const b = main`,
    caught: ['house(rooms)'],
  },
  {
    title: 'a deep import past index.ts',
    path: `${src}/runs/deep.ts`,
    code: `import { deep } from '../access/session.ts'\nexport const b = deep`,
    caught: ['house(rooms)'],
  },
  {
    title: 'a deep import from main.ts',
    path: `${src}/main.ts`,
    code: `import { deep } from './access/session.ts'\nexport const main = deep`,
    caught: ['house(rooms)'],
  },
  {
    title: 'an upward import between sub-rooms',
    path: `${src}/agents/threads/up.ts`,
    code: `import { a } from '../tools/a.ts'\nexport const b = a`,
    caught: ['house(rooms)'],
  },
  {
    title: 'a sub-room without a place in the order',
    path: `${src}/agents/misc/new.ts`,
    code: `import { a } from '../turn/a.ts'\nexport const b = a`,
    caught: ['house(rooms)'],
  },
  {
    title: 'a downward import between sub-rooms, and one of a file beside them',
    path: `${src}/agents/tools/down.ts`,
    code: `import { a } from '../turn/a.ts'\nimport { c } from '../c.ts'\nexport const b = a + c`,
    caught: [],
  },
  {
    title: 'an upward import in a test',
    path: `${src}/access/up.test.ts`,
    code: `import { a } from '../runs/index.ts'\nexport const b = a`,
    caught: ['house(rooms)'],
  },
  {
    title: 'a downward import through the door',
    path: `${src}/runs/index.ts`,
    code: `import { deep } from '../access/index.ts'\nexport type A = typeof deep\nexport const a: A = deep`,
    caught: [],
  },
  {
    title: 'a folder of a room with the name of another',
    path: `${src}/access/inner.ts`,
    code: `import { a } from './runs/inside.ts'\nexport const b = a`,
    caught: [],
  },
  {
    title: 'a test looking inside a lower room',
    path: `${src}/runs/deep.test.ts`,
    code: `import { deep } from '../access/session.ts'\nexport const b = deep`,
    caught: [],
  },
  {
    title: 'an upward import in the studio',
    path: `${studio}/ui/up.ts`,
    code: `import { a } from '../shell/a.ts'\nexport const b = a`,
    caught: ['house(rooms)'],
  },
  {
    title: 'a studio room importing the router',
    path: `${studio}/pages/router-user.ts`,
    code: `import { router } from '../router.tsx'\nexport const b = router`,
    caught: ['house(rooms)'],
  },
  {
    title: 'a downward import in the studio, past no door',
    path: `${studio}/shell/down.ts`,
    code: `import { a } from '../ui/list/a.ts'\nexport const b = a`,
    caught: [],
  },
  {
    title: 'a path into another package',
    path: 'packages/cli/src/server-user.ts',
    code: `import { deep } from '../../server/src/access/index.ts'\nexport const b = deep`,
    caught: ['house(packages)'],
  },
  // cycles
  {
    title: 'one half of a cycle',
    path: `${src}/base/egg.ts`,
    code: `import { hen } from './hen.ts'\nexport const egg = () => hen`,
    caught: ['import(no-cycle)'],
  },
  {
    title: 'the other half',
    path: `${src}/base/hen.ts`,
    code: `import { egg } from './egg.ts'\nexport const hen = () => egg`,
    caught: ['import(no-cycle)'],
  },
  // environment
  {
    title: 'process.env in a room',
    path: `${src}/base/env.ts`,
    code: `export const port = process.env['PORT']`,
    caught: ['house(environment)'],
  },
  {
    title: 'process.env by name',
    path: `${src}/base/env-key.ts`,
    code: `export const port = process['env'].PORT`,
    caught: ['house(environment)'],
  },
  {
    title: 'env taken out of process',
    path: `${src}/base/env-taken.ts`,
    code: `const { env } = process\nexport const port = env['PORT']`,
    caught: ['house(environment)'],
  },
  {
    title: 'env imported',
    path: `${src}/base/env-import.ts`,
    code: `import { env } from 'node:process'\nexport const port = env['PORT']`,
    caught: ['house(environment)'],
  },
  {
    title: 'process.env in the CLI',
    path: 'packages/cli/src/env.ts',
    code: `export const home = process.env['HOME']`,
    caught: ['house(environment)'],
  },
  {
    title: 'process.env in config.ts',
    path: `${src}/config.ts`,
    code: `export const port = process.env['PORT']`,
    caught: [],
  },
  {
    title: 'process.env in a test',
    path: `${src}/base/env.test.ts`,
    code: `export const port = process.env['PORT']`,
    caught: [],
  },
  // the way out: [N11] in the list of hostile cases
  {
    title: 'fetch in a room',
    path: `${src}/runs/fetch.ts`,
    code: `export const page = await fetch('http://example.test')`,
    caught: ['eslint(no-restricted-globals)'],
  },
  {
    title: 'globalThis.fetch in a room',
    path: `${src}/runs/fetch-global.ts`,
    code: `export const page = await globalThis.fetch('http://example.test')`,
    caught: ['eslint(no-restricted-globals)'],
  },
  {
    title: 'a WebSocket client in a room',
    path: `${src}/runs/socket.ts`,
    code: `export const socket = new WebSocket('ws://example.test')`,
    caught: ['eslint(no-restricted-globals)'],
  },
  {
    title: 'undici in a room',
    path: `${src}/runs/undici.ts`,
    code: `import { request } from 'undici'\nexport const page = request`,
    caught: ['house(outbound-modules)'],
  },
  {
    title: 'https.request in a room',
    path: `${src}/runs/https.ts`,
    code: `import { request } from 'node:https'\nexport const page = request`,
    caught: ['house(outbound-modules)'],
  },
  {
    title: 'http as a whole',
    path: `${src}/runs/http.ts`,
    code: `import * as http from 'http'\nexport const get = http.get`,
    caught: ['house(outbound-modules)'],
  },
  {
    title: 'net.connect in a room',
    path: `${src}/runs/net.ts`,
    code: `import { connect } from 'node:net'\nexport const open = connect`,
    caught: ['house(outbound-modules)'],
  },
  {
    title: 'net by dynamic import',
    path: `${src}/runs/net-later.ts`,
    code: `export const net = await import('node:net')`,
    caught: ['house(outbound-modules)'],
  },
  {
    title: 'net by getBuiltinModule',
    path: `${src}/runs/net-builtin.ts`,
    code: `export const net = process.getBuiltinModule('net')`,
    caught: ['house(outbound-modules)'],
  },
  {
    title: 'an http server',
    path: `${src}/runs/server.ts`,
    code: `import { createServer, type ClientRequest } from 'node:http'\nexport type R = ClientRequest\nexport const make = createServer`,
    caught: [],
  },
  {
    title: 'fetch and undici in egress',
    path: `${src}/egress/index.ts`,
    code: `import { request } from 'undici'\nexport const page = request\nexport const other = await fetch('http://example.test')`,
    caught: [],
  },
  // launchers
  {
    title: 'child_process in a room',
    path: `${src}/runs/spawn.ts`,
    code: `import { spawn } from 'node:child_process'\nexport const start = spawn`,
    caught: ['house(launch-modules)'],
  },
  {
    title: 'child_process without its prefix',
    path: `${src}/runs/fork.ts`,
    code: `import { fork } from 'child_process'\nexport const start = fork`,
    caught: ['house(launch-modules)'],
  },
  {
    title: 'a launcher',
    path: `${src}/runtimes/launch/start.ts`,
    code: `import { spawn } from 'node:child_process'\nexport const start = spawn`,
    caught: [],
  },
  {
    title: 'the embedded database',
    path: `${src}/base/database/embedded-postgres.ts`,
    code: `import { spawn } from 'node:child_process'\nexport const start = spawn`,
    caught: [],
  },
  // no code of others in this process
  {
    title: 'vm in a room',
    path: `${src}/runs/vm.ts`,
    code: `import { runInNewContext } from 'node:vm'\nexport const run = runInNewContext`,
    caught: ['house(refused-modules)'],
  },
  {
    title: 'isolated-vm outside a guest',
    path: `${src}/runtimes/isolate/ivm.ts`,
    code: `import ivm from 'isolated-vm'\nexport const make = ivm`,
    caught: ['house(refused-modules)'],
  },
  {
    title: 'a function made of text',
    path: `${src}/runs/function.ts`,
    code: `export const run = new Function('return 1')`,
    caught: ['eslint(no-new-func)', 'typescript(no-implied-eval)'],
  },
  {
    title: 'a guest',
    path: `${src}/runtimes/isolate/guest/main.ts`,
    code: `import ivm from 'isolated-vm'\nexport const make = [ivm, process.env]`,
    caught: [],
  },
  // house style
  {
    title: 'a default export',
    path: `${src}/base/default.ts`,
    code: `export default 1`,
    caught: ['import(no-default-export)'],
  },
  { title: 'an enum', path: `${src}/base/enum.ts`, code: `export enum Colour { Red }`, caught: ['house(no-enum)'] },
  {
    title: 'an any',
    path: `${src}/base/any.ts`,
    code: `export const x: any = 1`,
    caught: ['typescript(no-explicit-any)'],
  },
  {
    title: 'an export *',
    path: `${src}/base/all.ts`,
    code: `export * from './log.ts'`,
    caught: ['house(no-export-all)'],
  },
  // text of requests
  {
    title: 'a plain string with a bound in the contract',
    path: 'packages/contract/src/routes/bound.ts',
    code: `import { z } from 'zod'\nexport const query = z.object({ search: z.string().max(200).optional() })`,
    caught: ['house(request-text)'],
  },
  {
    title: 'a plain string in a body of the contract',
    path: 'packages/contract/src/body.ts',
    code: `import { z } from 'zod'\nexport const body = z.strictObject({ names: z.array(z.string()).optional() })`,
    caught: ['house(request-text)'],
  },
  {
    title: 'a plain string in an answer of the contract',
    path: 'packages/contract/src/answer.ts',
    code: `import { z } from 'zod'\nexport const answer = z.object({ name: z.string().nullable() })`,
    caught: [],
  },
  // a room's verb does everything
  {
    title: 'the store in a door',
    path: `${src}/api/http/store.ts`,
    code: `export const read = (api: { database: string }) => api.database`,
    caught: ['house(room-verbs)'],
  },
  {
    title: 'the store taken out of what a door is given',
    path: `${src}/api/http/store-taken.ts`,
    code: `export const read = ({ database }: { database: string }) => database`,
    caught: ['house(room-verbs)'],
  },
  {
    title: 'the type of the store in a door',
    path: `${src}/api/preview/store-type.ts`,
    code: `import type { Database } from '../../base/index.ts'\nexport type Held = Database`,
    caught: ['house(room-verbs)'],
  },
  {
    title: 'the type of the bus among values in a door',
    path: `${src}/api/socket/bus-type.ts`,
    code: `import { createId, type EventBus } from '../../base/index.ts'\nexport type Held = EventBus\nexport const make = createId`,
    caught: ['house(room-verbs)'],
  },
  {
    title: 'a door that publishes an event',
    path: `${src}/api/socket/publish.ts`,
    code: `export const tell = (events: { publish(): void }) => events.publish()`,
    caught: ['house(room-verbs)'],
  },
  {
    title: 'a door that subscribes to events',
    path: `${src}/api/socket/subscribe.ts`,
    code: `export const hear = (events: { subscribe(): void }) => events.subscribe()`,
    caught: [],
  },
  {
    title: 'a room that publishes an event',
    path: `${src}/runs/publish.ts`,
    code: `export const tell = (events: { publish(): void }) => events.publish()`,
    caught: [],
  },
  {
    title: 'a promise nobody waits for',
    path: `${src}/base/floating.ts`,
    code: `const work = async () => 1\nexport const start = () => {\n  work()\n}`,
    caught: ['typescript(no-floating-promises)'],
  },
  {
    title: 'a promise waited for',
    path: `${src}/base/log.ts`,
    code: `const work = async () => 1\nexport const start = async () => {\n  await work()\n}`,
    caught: [],
  },
]

/** What the plants above import. */
const soil = {
  [`${src}/access/index.ts`]: `export { deep } from './session.ts'`,
  [`${src}/access/session.ts`]: `export const deep = 1`,
  [`${src}/access/runs/inside.ts`]: `export const a = 1`,
}

let tree: string
let caught: Map<string, string[]>

beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), 'coherex-lint-'))
  for (const path of [
    'oxlint.config.ts',
    'scripts/house-rules.ts',
    'tsconfig.base.json',
    'packages/server/tsconfig.json',
  ]) {
    cpSync(join(project, path), join(tree, path))
  }
  symlinkSync(join(project, 'node_modules'), join(tree, 'node_modules'))
  for (const [path, code] of [...plants.map((one) => [one.path, one.code] as const), ...Object.entries(soil)]) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), `${code}\n`)
  }
  caught = await lint(tree)
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

async function lint(cwd: string): Promise<Map<string, string[]>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(project, 'node_modules/oxlint/bin/oxlint'), '-f', 'json', 'packages'],
    { cwd, maxBuffer: 10_000_000 },
  ).catch((failure: { stdout: string }) => failure) // it exits with 1 when it finds something
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  const found = new Map<string, string[]>()
  for (const { code, filename } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), code])
  return found
}

for (const { title, path, caught: expected } of plants) {
  test(`the linter ${expected.length > 0 ? 'catches' : 'lets pass'} ${title}`, () => {
    expect([...new Set(caught.get(path) ?? [])]).toEqual(expected)
  })
}
