import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

/** Too large to be a package of ours (110 MB): it is fetched into a folder for this test, where a registry answers. */
const inspector = '@modelcontextprotocol/inspector@2.12.0'

let folder: string
let missing: string | undefined
let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coherex-inspector-'))
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0', '--prefix', folder]
  const { code, output } = await run('npm', ['install', ...flags, inspector])
  missing = code === 0 ? undefined : `needs a registry of npm: ${output.slice(-300)}`
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the command line of the MCP Inspector lists and calls a published tool', async (context) => {
  if (missing !== undefined) return context.skip(missing)
  const yaml =
    'kind: tool\nname: double\ndescription: Doubles\nlanguage: javascript\nlicence: MIT\ninput: { type: object, properties: { n: { type: number } }, required: [n] }\noutput: { type: number }\ntests: [{ name: two, input: { n: 2 }, output: 4 }]\n'
  const files = { 'tool.yaml': yaml, 'main.js': 'export default (env, { n }) => n * 2\n' }
  await owner.call(routes.tools.save, { body: { files } })
  await owner.call(routes.tools.publishVersion, { params: { name: 'double' }, body: {} })
  const { key } = await owner.call(routes.keys.create, { body: { name: 'inspector', scopes: ['run'] } })
  const inspect = (...args: string[]) => {
    const main = join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
    const header = ['--transport', 'http', '--header', `Authorization: Bearer ${key}`]
    return run(process.execPath, [main, '--cli', `${server.url}/mcp`, ...header, ...args])
  }

  const listed = await inspect('--method', 'tools/list')
  expect(listed.code, listed.output).toBe(0)
  const { tools } = JSON.parse(listed.stdout) as { tools: { name: string }[] }
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['double', 'run_code']))
  const called = await inspect('--method', 'tools/call', '--tool-name', 'double', '--tool-arg', 'n=21')
  expect(called.code, called.output).toBe(0)
  expect(JSON.parse(called.stdout)).toMatchObject({ structuredContent: { output: 42 } })
})

function run(command: string, args: string[]): Promise<{ code: number; stdout: string; output: string }> {
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  const env = { ...process.env, PATH: path, MCP_CATALOG_PATH: join(folder, 'catalog.json') }
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd: folder, env, maxBuffer: 50_000_000 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, stdout, output: stdout + stderr }),
    )
  })
}
