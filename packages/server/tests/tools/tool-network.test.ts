import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const outside = createServer((request, response) => response.end(`seen ${request.url}`))
let server: TestServer
let owner: TestPerson
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  const { port } = outside.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
  server = await startTestServer({ COHEREX_ALLOW_PRIVATE: `127.0.0.1:${port}` })
  owner = await server.owner()
  await publish('connected', `network: { allow: ["${url}/tool/"] }`)
  await publish('apart', '')
})
afterAll(async () => {
  await server.stop()
  outside.close()
})

/** Answers what each address said, or why there was no answer. */
const visits = `const visit = async (paths) => {
  const seen = []
  for (const path of paths) {
    try {
      seen.push(await (await fetch("URL" + path)).text())
    } catch {
      seen.push('refused')
    }
  }
  return seen
}`
const paths = ['/tool/a', '/run/a']

async function publish(name: string, rest: string): Promise<void> {
  const yaml = `kind: tool\nname: ${name}\ndescription: Visits\nlanguage: javascript\nlicence: MIT\ninput: true\noutput: true\ntests: [{ name: none, input: [], output: [] }]\n${rest}\n`
  const code = `${visits.replace('URL', url)}\nexport default (env, paths) => visit(paths)\n`
  await owner.call(routes.tools.save, { body: { files: { 'tool.yaml': yaml, 'main.js': code } } })
  expect(await owner.call(routes.tools.publishVersion, { params: { name }, body: {} })).toMatchObject({
    published: true,
  })
}

/** What the code of a run reaches before, in and after its calls of both tools. */
async function reach(allow: string[]) {
  const code = `${visits.replace('URL', url)}
export default async (env, paths) => ({
  before: await visit(paths),
  connected: await env.TOOLS.connected(paths),
  apart: await env.TOOLS.apart(paths),
  after: await visit(paths),
})`
  const network = allow.length > 0 ? { network: { allow } } : {}
  const run = await owner.call(routes.runs.create, {
    body: { language: 'javascript', code, input: paths, ...network },
  })
  return run.result
}

test('a tool reaches what its own rule allows, and neither its rule nor that of its caller goes over', async () => {
  const none = ['refused', 'refused']
  const ofTool = ['seen /tool/a', 'refused']
  const ofRun = ['refused', 'seen /run/a']
  expect(await reach([])).toEqual({ before: none, connected: ofTool, apart: none, after: none })
  expect(await reach([`${url}/run/`])).toEqual({ before: ofRun, connected: ofTool, apart: none, after: ofRun })
})
