import { setTimeout as delay } from 'node:timers/promises'
import {
  createRequestStateCodec,
  inputRequired,
  MissingRequiredClientCapabilityError,
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ClientCapabilities,
  type ContentBlock,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  type PromptMessage,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Shelf, ShelfTool, ToolVisit } from '../../../src/api/mcp/shelf.ts'

const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const image = { type: 'image' as const, data, mimeType: 'image/png' }
const text = (words: string) => ({ type: 'text' as const, text: words })
const embedded = (uri: string, words: string, mimeType = 'text/plain') => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})
const says = (...content: ContentBlock[]): CallToolResult => ({ content })

const access = { role: 'viewer', scope: 'read' } as const
type Call = (
  visit: ToolVisit,
  input: Record<string, unknown>,
) => Promise<CallToolResult | InputRequiredResult> | CallToolResult | InputRequiredResult
const toTool = (name: string, call: Call): ShelfTool => ({
  tool: { name, description: `Of the suite: ${name}`, inputSchema: { type: 'object', properties: {} } },
  access,
  call: async (input, visit) => call(visit, input),
})

const asks = (message: string, field: string, type: 'string' | 'boolean' = 'string') => {
  const property = type === 'string' ? { type } : { type }
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: property }, required: [field] },
  })
}
const asksModel = (words: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(words) }], maxTokens: 100 })

const options = ['option1', 'option2', 'option3']
const titled = [1, 2, 3].map((at) => ({ const: `value${at}`, title: `Option ${at}` }))
const elicitations: Record<string, ElicitRequestFormParams['requestedSchema']['properties']> = {
  test_elicitation: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  },
}

const states = createRequestStateCodec<Record<string, unknown>>({ key: 'a key of the suite that is long enough' })
type Answers = Record<string, { content?: Record<string, unknown>; roots?: unknown[] }>
const answersOf = ({ protocol }: ToolVisit) => (protocol.mcpReq.inputResponses ?? {}) as Answers
const capabilitiesOf = ({ mcpReq }: ServerContext) =>
  (mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
async function stateOf({ protocol }: ToolVisit): Promise<Record<string, unknown> | undefined> {
  const raw = protocol.mcpReq.requestState<string>()
  if (raw === undefined) return undefined
  return states.verify(raw, protocol).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'requestState integrity check failed')
  })
}

/** Tools, resources and prompts that the conformance suite looks for by their names. */
export function createConformanceShelf(change: (list: 'tool' | 'skill') => void): Shelf {
  const tools: ShelfTool[] = [
    toTool('test_simple_text', () => says(text('This is a simple text response for testing.'))),
    toTool('test_image_content', () => says(image)),
    toTool('test_audio_content', () => says({ type: 'audio', data: sound, mimeType: 'audio/wav' })),
    toTool('test_embedded_resource', () =>
      says(embedded('test://embedded-resource', 'This is an embedded resource content.')),
    ),
    toTool('test_multiple_content_types', () =>
      says(
        text('Multiple content types test:'),
        image,
        embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
      ),
    ),
    toTool('test_error_handling', () => {
      throw new Error('This tool intentionally returns an error for testing')
    }),
    toTool('test_tool_with_progress', async ({ protocol: { mcpReq } }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0
      for (const progress of [0, 50, 100]) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
        await delay(50)
      }
      return says(text(String(progressToken)))
    }),
    toTool('test_missing_capability', ({ protocol }) => {
      if (capabilitiesOf(protocol).sampling) return says(text('Success'))
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
    }),
    toTool('test_trigger_tool_change', () => {
      change('tool')
      return says(text('Changed'))
    }),
    toTool('test_trigger_prompt_change', () => {
      change('skill')
      return says(text('Changed'))
    }),
    toTool('test_streaming_elicitation', async ({ protocol: { mcpReq } }) => {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken: 'token-abc', progress: 50 } })
      return says(text('Streaming complete'))
    }),
    toTool('test_tool_with_logging', async ({ protocol: { mcpReq } }) => {
      for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', words)
        await delay(50)
      }
      return says(text('Logged'))
    }),
    toTool('test_sampling', async ({ protocol: { mcpReq }, signal }, { prompt }) => {
      const messages = [{ role: 'user' as const, content: text(String(prompt)) }]
      // on the stream of the call, which a client has open in any case
      const options = { relatedRequestId: mcpReq.id, signal }
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 }, options)
      return says(text(`LLM response: ${JSON.stringify(content)}`))
    }),
    ...Object.entries(elicitations).map(([name, properties]) =>
      toTool(name, async ({ protocol: { mcpReq }, signal }, { message = 'Please fill this in' }) => {
        const required = name === 'test_elicitation' ? Object.keys(properties) : []
        const requestedSchema = { type: 'object' as const, properties, required }
        const options = { relatedRequestId: mcpReq.id, signal }
        const { action, content } = await mcpReq.elicitInput({ message: String(message), requestedSchema }, options)
        return says(text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`))
      }),
    ),
    // none comes unasked in the newer revision
    toTool('test_logging_tool', () => says(text('Logging evaluated'))),
    toTool('test_input_required_result_elicitation', (visit) => {
      const { user_name: name } = answersOf(visit)
      if (name) return says(text(`Hello, ${String(name.content?.['name'])}!`))
      return inputRequired({ inputRequests: { user_name: asks('What is your name?', 'name') } })
    }),
    toTool('test_input_required_result_sampling', (visit) => {
      const { sample_request: sample } = answersOf(visit)
      if (sample) return says(text(`Sampling result: ${String(sample.content?.['text'])}`))
      return inputRequired({ inputRequests: { sample_request: asksModel('What is the capital of France?') } })
    }),
    toTool('test_input_required_result_list_roots', (visit) => {
      const { roots_request: found } = answersOf(visit)
      if (found) return says(text(`Found ${found.roots?.length ?? 0} root(s)`))
      return inputRequired({ inputRequests: { roots_request: inputRequired.listRoots() } })
    }),
    ...(
      [
        ['test_input_required_result_request_state', 'request-state', 'state-ok: requestState validated'],
        ['test_input_required_result_tampered_state', 'tamper-test', 'integrity-ok: state verified'],
      ] as const
    ).map(([name, kind, words]) =>
      toTool(name, async (visit) => {
        const state = await stateOf(visit)
        if (state?.['kind'] === kind && answersOf(visit)['confirm']) return says(text(words))
        return inputRequired({
          inputRequests: { confirm: asks('Please confirm', 'ok', 'boolean') },
          requestState: await states.mint({ kind }, visit.protocol),
        })
      }),
    ),
    toTool('test_input_required_result_multiple_inputs', async (visit) => {
      const { user_name: name, greeting, client_roots: roots } = answersOf(visit)
      if ((await stateOf(visit)) && name && greeting && roots) {
        const words = `Name: ${String(name.content?.['name'])}; Greeting: ${String(greeting.content?.['text'])}`
        return says(text(`${words}; Roots: ${roots.roots?.length ?? 0}`))
      }
      return inputRequired({
        inputRequests: {
          user_name: asks('What is your name?', 'name'),
          greeting: asksModel('Generate a greeting'),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await states.mint({ kind: 'multiple-inputs' }, visit.protocol),
      })
    }),
    toTool('test_input_required_result_multi_round', async (visit) => {
      const state = await stateOf(visit)
      const { step1, step2 } = answersOf(visit)
      const ask = async (key: string, message: string, field: string, next: Record<string, unknown>) =>
        inputRequired({
          inputRequests: { [key]: asks(message, field) },
          requestState: await states.mint(next, visit.protocol),
        })
      if (state?.['round'] === 2 && step2)
        return says(text(`Done for ${String(state['name'])} who likes ${String(step2.content?.['color'])}`))
      if (state?.['round'] === 1 && step1)
        return ask('step2', 'Step 2: What is your favorite color?', 'color', {
          round: 2,
          name: step1.content?.['name'],
        })
      return ask('step1', 'Step 1: What is your name?', 'name', { round: 1 })
    }),
    toTool('test_input_required_result_capabilities', async (visit) => {
      const { elicitation, sampling } = capabilitiesOf(visit.protocol)
      const answered = Object.keys(answersOf(visit))
      if (answered.length > 0) return says(text(`capabilities-ok: received ${answered.join(',')}`))
      if (!elicitation && !sampling) return says(text('No supported capabilities declared'))
      return inputRequired({
        inputRequests: {
          ...(elicitation && { elicit_input: asks('Elicitation input', 'value') }),
          ...(sampling && { sample_input: asksModel('Sample request') }),
        },
        requestState: await states.mint({ kind: 'capabilities-test' }, visit.protocol),
      })
    }),
  ]

  const prompts: Record<string, (given: Record<string, string>) => PromptMessage['content'][]> = {
    test_simple_prompt: () => [text('This is a simple prompt for testing.')],
    test_prompt_with_arguments: ({ arg1 = '', arg2 = '' }) => [
      text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    ],
    test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
      embedded(resourceUri, 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ],
    test_prompt_with_image: () => [image, text('Please analyze the image above.')],
  }
  const argumentsOf: Record<string, string[]> = {
    test_prompt_with_arguments: ['arg1', 'arg2'],
    test_prompt_with_embedded_resource: ['resourceUri'],
  }

  return {
    tools: async () => ({ items: tools }),
    findTool: async (_visit, name) => tools.find(({ tool }) => tool.name === name),
    resources: async () => ({
      items: [
        { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
        { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
        { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
      ],
    }),
    templates: [{ name: 'template', uriTemplate: 'test://template/{id}/data', mimeType: 'application/json' }],
    async readResource(_visit, uri) {
      const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
      if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: data }] }
      const words =
        uri === 'test://static-text' || uri === 'test://watched-resource'
          ? 'This is the content of the static text resource.'
          : id && JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      return words === undefined ? undefined : { contents: [{ uri, mimeType: 'text/plain', text: words }] }
    },
    prompts: async () => ({
      items: [...Object.keys(prompts), 'test_input_required_result_prompt'].map((name) => ({
        name,
        description: `Of the suite: ${name}`,
        arguments: (argumentsOf[name] ?? []).map((one) => ({ name: one, required: true })),
      })),
    }),
    async getPrompt(_visit, name, given, { mcpReq }) {
      if (name === 'test_input_required_result_prompt') {
        const { user_context: context } = (mcpReq.inputResponses ?? {}) as Answers
        if (!context)
          return inputRequired({ inputRequests: { user_context: asks('What context should it use?', 'context') } })
        const words = text(`Prompt with context: ${String(context.content?.['context'])}`)
        return { messages: [{ role: 'user', content: words }] }
      }
      const contents = prompts[name]?.(given)
      return contents && { messages: contents.map((content) => ({ role: 'user', content })) }
    },
  }
}
