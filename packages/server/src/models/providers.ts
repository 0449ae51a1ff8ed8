import type { EmbeddingModel, LanguageModel } from 'ai'
import type { GuardedFetch } from '../egress/index.ts'

export const providerIds = ['anthropic', 'openai', 'google', 'compatible', 'ollama'] as const
export type ProviderId = (typeof providerIds)[number]

/** How to reach a provider's server. */
export interface Connection {
  baseUrl: string
  apiKey?: string | undefined
  fetch: GuardedFetch
}

export interface Provider {
  id: ProviderId
  title: string
  /** The setting, or secret of a team, that holds its key. */
  keyName?: string
  /** The setting, or secret of a team, that says where it is. */
  urlName?: string
  defaultUrl?: string
  /** How a request that its library does not make shows the key. */
  showKey(apiKey: string): Record<string, string>
  /** Its library is loaded when it is first used: most installations need one of them. */
  connect(model: string, connection: Connection): Promise<LanguageModel>
  /** A model that makes vectors of texts; absent where the provider has none. */
  connectEmbedding?(model: string, connection: Connection): Promise<EmbeddingModel>
}

/** Every way to a model. One that speaks Chat Completions needs no row of its own: it is `compatible`. */
export const providers: Record<ProviderId, Provider> = {
  anthropic: {
    id: 'anthropic',
    title: 'Anthropic',
    keyName: 'ANTHROPIC_API_KEY',
    defaultUrl: 'https://api.anthropic.com/v1',
    showKey: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
    async connect(model, { baseUrl, apiKey = '', fetch }) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: baseUrl, apiKey, fetch })(model)
    },
  },
  openai: {
    id: 'openai',
    title: 'OpenAI',
    keyName: 'OPENAI_API_KEY',
    defaultUrl: 'https://api.openai.com/v1',
    showKey: asBearer,
    async connect(model, { baseUrl, apiKey = '', fetch }) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: baseUrl, apiKey, fetch })(model)
    },
    async connectEmbedding(model, { baseUrl, apiKey = '', fetch }) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: baseUrl, apiKey, fetch }).embeddingModel(model)
    },
  },
  google: {
    id: 'google',
    title: 'Google',
    keyName: 'GOOGLE_GENERATIVE_AI_API_KEY',
    defaultUrl: 'https://generativelanguage.googleapis.com/v1beta',
    showKey: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    async connect(model, { baseUrl, apiKey = '', fetch }) {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: baseUrl, apiKey, fetch })(model)
    },
    async connectEmbedding(model, { baseUrl, apiKey = '', fetch }) {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: baseUrl, apiKey, fetch }).embeddingModel(model)
    },
  },
  compatible: {
    id: 'compatible',
    title: 'OpenAI-compatible server',
    keyName: 'COHEREX_COMPATIBLE_API_KEY',
    urlName: 'COHEREX_COMPATIBLE_BASE_URL',
    showKey: asBearer,
    ...connectCompatible('compatible'),
  },
  ollama: {
    id: 'ollama',
    title: 'Ollama on this machine',
    urlName: 'OLLAMA_HOST',
    defaultUrl: 'http://127.0.0.1:11434',
    showKey: asBearer,
    ...connectCompatible('ollama'),
  },
}

function asBearer(apiKey: string): Record<string, string> {
  return { authorization: `Bearer ${apiKey}` }
}

function connectCompatible(name: string): Required<Pick<Provider, 'connect' | 'connectEmbedding'>> {
  const open = async ({ baseUrl, apiKey, fetch }: Connection) => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return createOpenAICompatible({ name, baseURL: baseUrl, fetch, includeUsage: true, ...(apiKey && { apiKey }) })
  }
  return {
    connect: async (model, connection) => (await open(connection))(model),
    connectEmbedding: async (model, connection) => (await open(connection)).embeddingModel(model),
  }
}
