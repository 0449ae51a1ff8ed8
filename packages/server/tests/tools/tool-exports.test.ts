import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { routes, toolExportFormats, type ToolExportFormat } from '@coherex/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAnyUv } from '../harness/outside/find-uv.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const run = promisify(execFile)
const python = '/usr/bin/python3'
const modules = join(import.meta.dirname, '../../../../node_modules')
const require = createRequire(import.meta.url)

// ends a comment, a template, a text of Python, a line, a shell's text, and a script
const hostile =
  'Counts words */ process.exit(1) /* `${process.exit(2)}` """ \'\'\' \\\n\u2028; rm -rf / \' " $(exit 3) </script>'

let server: TestServer
let owner: TestPerson
let project: string
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  await publish('count-words', {
    input: `{ type: object, required: [text], properties: { text: { type: string }, kind: { enum: [long, short] }, "odd-key\\"": { type: integer } }, additionalProperties: false }`,
    output:
      '{ type: object, required: [count], properties: { count: { type: integer } }, additionalProperties: false }',
    code: 'export default (env, { text }) => ({ count: text.split(" ").length })\n',
    tested: '{ name: two, input: { text: a b }, output: { count: 2 } }',
  })
  await publish('sum-tree', {
    input: `{ $ref: "#/$defs/Node", $defs: { Node: { type: object, required: [value], properties: { value: { type: number }, children: { type: array, items: { $ref: "#/$defs/Node" } } } } } }`,
    output: '{ type: number }',
    code: 'const sum = ({ value, children = [] }) => value + children.reduce((all, one) => all + sum(one), 0)\nexport default (env, tree) => sum(tree)\n',
    tested: '{ name: one, input: { value: 1 }, output: 1 }',
  })
  await publish('delete', {
    input: '{ type: array, items: { type: integer } }',
    output: '{ type: integer }',
    code: 'export default (env, list) => list.length\n',
    tested: '{ name: none, input: [], output: 0 }',
  })
  const { key } = await owner.call(routes.keys.create, { body: { name: 'exports', scopes: ['run'] } })
  env = { PATH: process.env['PATH'], COHEREX_URL: server.url, COHEREX_API_KEY: key }
  // a project of someone else: only what it would install is there
  project = await mkdtemp(join(tmpdir(), 'coherex-export-'))
  await mkdir(join(project, 'node_modules'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await link('@langchain/core', '@langchain')
  await link('ai', 'ai')
  await link('@types/node', '@types')
})
afterAll(async () => {
  await server.stop()
  await rm(project, { recursive: true, force: true })
})

async function link(name: string, entry: string): Promise<void> {
  // where the workspace has it, beside the server or above
  const found = require.resolve.paths(name)?.map((folder) => join(folder, entry)) ?? []
  for (const path of found) {
    try {
      await run('ls', [path])
      return await symlink(path, join(project, 'node_modules', entry))
    } catch {
      // the next folder may have it
    }
  }
  throw new Error(`${name} is not installed`)
}

async function publish(
  name: string,
  { input, output, code, tested }: { input: string; output: string; code: string; tested: string },
): Promise<void> {
  const yaml = `kind: tool\nname: ${name}\ndescription: ${JSON.stringify(hostile)}\nlanguage: javascript\nlicence: MIT\ninput: ${input}\noutput: ${output}\ntests: [${tested}]\n`
  await owner.call(routes.tools.save, { body: { files: { 'tool.yaml': yaml, 'main.js': code } } })
  const { published, checks } = await owner.call(routes.tools.publishVersion, { params: { name }, body: {} })
  expect([name, published, checks.filter(({ passed }) => !passed)]).toEqual([name, true, []])
}

/** Writes an export into the project; answers its file name. */
async function write(name: string, format: ToolExportFormat, version?: number): Promise<string> {
  const query = { format, ...(version === undefined ? {} : { version }) }
  const { fileName, text } = await owner.call(routes.tools.export, { params: { name }, query })
  await writeFile(join(project, fileName), text)
  return fileName
}

/** Runs a program in the project by itself; answers what it prints as JSON. */
async function execute(command: string, file: string, text: string): Promise<unknown> {
  await writeFile(join(project, file), text)
  const { stdout } = await run(command, [file], { cwd: project, env, timeout: 60_000 })
  return JSON.parse(stdout)
}

test('LangChain calls an exported tool, also one whose input is no object', async () => {
  const files = [
    await write('count-words', 'langchain'),
    await write('sum-tree', 'langchain'),
    await write('delete', 'langchain'),
  ]
  const said = await execute(
    process.execPath,
    'langchain.mjs',
    `import { countWords } from './${files[0]}'
import { sumTree } from './${files[1]}'
import { deleteTool } from './${files[2]}'
const wrong = await countWords.invoke({ text: 1 }).catch((error) => error.name)
console.log(JSON.stringify({
  words: await countWords.invoke({ text: 'a b c' }),
  tree: await sumTree.invoke({ input: { value: 1, children: [{ value: 2 }] } }),
  count: await deleteTool.invoke({ input: [1, 2] }),
  called: (await countWords.invoke({ type: 'tool_call', id: 'c1', name: 'count-words', args: { text: 'a b' } })).content,
  description: countWords.description,
  wrong,
}))`,
  )
  expect(said).toEqual({
    words: { count: 3 },
    tree: 3,
    count: 2,
    called: '{"count":2}',
    description: hostile,
    wrong: expect.any(String) as string,
  })
})

test('the AI SDK runs an exported tool in its loop', async () => {
  const file = await write('count-words', 'ai-sdk', 1)
  const said = await execute(
    process.execPath,
    'ai-sdk.mjs',
    `import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { countWords } from './${file}'
const usage = { inputTokens: {}, outputTokens: {} }
let step = 0
const model = new MockLanguageModelV4({ doGenerate: async () => step++ === 0
  ? { finishReason: { unified: 'tool-calls' }, usage, warnings: [], content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'countWords', input: '{"text":"a b c d"}' }] }
  : { finishReason: { unified: 'stop' }, usage, warnings: [], content: [{ type: 'text', text: 'done' }] } })
const { steps, text } = await generateText({ model, tools: { countWords }, prompt: 'count', stopWhen: isStepCount(3) })
console.log(JSON.stringify({ text, results: steps[0].toolResults.map(({ output }) => output) }))`,
  )
  expect(said).toEqual({ text: 'done', results: [{ count: 4 }] })
})

test('a function for OpenAI has its definition, and answers its calls', async () => {
  const file = await write('delete', 'openai')
  const said = await execute(
    process.execPath,
    'openai.mjs',
    `import { call, definition } from './${file}'
const failed = await call('{"input":["x"]}').catch((error) => error.message)
console.log(JSON.stringify({ definition, content: await call('{"input":[1,2,3]}'), failed }))`,
  )
  expect(said).toEqual({
    definition: {
      type: 'function',
      function: {
        name: 'delete',
        description: hostile,
        parameters: {
          type: 'object',
          properties: { input: { type: 'array', items: { type: 'integer' } } },
          required: ['input'],
          additionalProperties: false,
        },
      },
    },
    content: '3',
    failed: 'The input does not fit the schema: [0] must be integer',
  })
})

test('the TypeScript client runs as it is, and its types say what the schemas do', async () => {
  const [words, tree] = [await write('count-words', 'typescript'), await write('sum-tree', 'typescript')]
  const said = await execute(
    process.execPath,
    'client.ts',
    `import { countWords } from './${words}'
import { sumTree, type Node } from './${tree}'
const root: Node = { value: 1, children: [{ value: 2 }] }
const { count }: { count: number } = await countWords({ text: 'a b', kind: 'long', 'odd-key"': 1 })
// @ts-expect-error -- it needs a text
const wrong = await countWords({ kind: 'long' }).catch((error) => error.message)
console.log(JSON.stringify({ count, sum: await sumTree(root), wrong }))
export {}
`,
  )
  expect(said).toEqual({ count: 2, sum: 3, wrong: 'The input does not fit the schema: text is missing' })
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
    '--types',
    'node',
    '--target',
    'esnext',
  ]
  const tsc = [join(modules, 'typescript/bin/tsc'), ...options, 'client.ts']
  const checked = await run(process.execPath, tsc, { cwd: project, env }).catch((error: { stdout: string }) => error)
  expect(checked.stdout).toBe('')
})

test('the Python client needs nothing but Python', async () => {
  await write('count-words', 'python')
  await write('sum-tree', 'python')
  await write('delete', 'python')
  const said = await execute(
    python,
    'client.py',
    `import json, typing
import count_words, sum_tree
from delete import delete
try:
    count_words.count_words({"text": 1})
except count_words.ToolError as error:
    wrong = str(error)
print(json.dumps({"count": count_words.count_words({"text": "a b"}), "sum": sum_tree.sum_tree({"value": 1, "children": [{"value": 2}]}),
  "length": delete([1, 2]), "wrong": wrong, "doc": count_words.count_words.__doc__,
  "required": sorted(count_words.Input.__required_keys__), "hints": sorted(typing.get_type_hints(count_words.Input))}))`,
  )
  expect(said).toEqual({
    count: { count: 2 },
    sum: 3,
    length: 2,
    wrong: 'The input does not fit the schema: text must be string',
    doc: hostile,
    required: ['text'],
    hints: ['kind', 'odd-key"', 'text'],
  })
})

test('LangChain for Python calls an exported tool', async (context) => {
  const uv = findAnyUv()
  const site = join(project, 'site')
  const [command, ...install] = uv ? [uv, 'pip', 'install', '--python', python] : [python, '-m', 'pip', 'install']
  const named = [...install, '--quiet', '--target', site, 'langchain-core']
  const failed = await run(command, named, { timeout: 90_000 }).then(
    () => undefined,
    (error: { stderr?: string }) => error.stderr?.split('\n', 1)[0] ?? 'it takes too long',
  )
  if (failed !== undefined) return context.skip(`no Python package index answers: ${failed}`)
  await write('count-words', 'langchain-python')
  await write('delete', 'langchain-python')
  env = { ...env, PYTHONPATH: site }
  const said = await execute(
    python,
    'langchain_client.py',
    `import json
from count_words_langchain import count_words
from delete_langchain import delete
print(json.dumps({"count": count_words.invoke({"text": "a b c"}), "length": delete.invoke({"input": [1, 2]}), "description": count_words.description}))`,
  )
  expect(said).toEqual({ count: { count: 3 }, length: 2, description: hostile })
}, 180_000)

test('a curl line calls the tool with a sample of its input', async () => {
  const file = await write('count-words', 'curl')
  const { stdout } = await run('bash', [file], { cwd: project, env })
  expect(JSON.parse(stdout)).toMatchObject({ output: { count: 1 }, run: { status: 'succeeded' } })
})

test('OpenAPI 3.1 has schemas that check, wherever they lead', async () => {
  const read = async (name: string, format: ToolExportFormat) =>
    JSON.parse((await owner.call(routes.tools.export, { params: { name }, query: { format, version: 1 } })).text) as {
      openapi: string
      paths: object
    }
  const document = await read('sum-tree', 'openapi')
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'sum-tree', version: '1' },
    servers: [{ url: server.url }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  })
  const [path = ''] = Object.keys(document.paths)
  expect(path).toBe('/api/v1/tools/sum-tree/call')
  const ajv = new Ajv2020({ strict: false }).addSchema(document, 'document')
  const escaped = path.replaceAll('/', '~1')
  const check = ajv.compile({
    $ref: `document#/paths/${escaped}/post/requestBody/content/application~1json/schema`,
  })
  expect(check({ input: { value: 1, children: [{ value: 2 }] }, version: 1 })).toBe(true)
  expect(check({ input: { value: 1, children: [{ value: 'x' }] }, version: 1 })).toBe(false)
  expect(check({ input: { value: 1 }, version: 2 })).toBe(false)
  expect(await read('count-words', 'mcp')).toMatchObject({
    name: 'count-words',
    description: hostile,
    inputSchema: { type: 'object', required: ['text'] },
    outputSchema: { type: 'object', required: ['count'] },
  })
})

test('every format is written for every tool, and one that is not published says so', async () => {
  for (const format of toolExportFormats)
    expect((await owner.call(routes.tools.export, { params: { name: 'delete' }, query: { format } })).text).toContain(
      'delete',
    )
  const files = {
    'tool.yaml': 'kind: tool\nname: draft\ndescription: d\nlanguage: javascript\n',
    'main.js': 'export default () => 1\n',
  }
  await owner.call(routes.tools.save, { body: { files } })
  const ask = (query: { format: 'curl'; version?: number }) =>
    owner.call(routes.tools.export, { params: { name: 'draft' }, query })
  await expect(ask({ format: 'curl' })).rejects.toThrow('is not published yet')
  await expect(ask({ format: 'curl', version: 1 })).rejects.toThrow('was never published')
})
