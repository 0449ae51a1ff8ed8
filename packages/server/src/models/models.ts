import { CoherexError, type ModelChoices, type ProviderState } from '@coherex/contract'
import type { LanguageModel } from 'ai'
import { checkQuota, openSecrets, quotasOf, type KeyRing, type TeamCaller } from '../access/index.ts'
import type { Database, EventBus } from '../base/index.ts'
import { EgressError, type Egress } from '../egress/index.ts'
import { askModel, type Answer, type Question } from './ask-model.ts'
import { catalogue, findEmbeddingPrice, findKnownModel, type KnownModel, type Price } from './catalogue.ts'
import { createDoorFetches, type Door } from './door-fetches.ts'
import { embedTexts, type Embedding, type TextsToEmbed } from './embed-texts.ts'
import { askForModels, createServerModelLists, type ModelServer } from './list-server-models.ts'
import { readChoice, setChoice } from './model-choice.ts'
import { countUse, readSpentUsd } from './model-use.ts'
import { providerIds, providers, type Connection, type Provider, type ProviderId } from './providers.ts'

/** A model that can be called, with what is known of it. */
export interface ResolvedModel {
  name: string
  model: LanguageModel
  price: Price | undefined
  contextTokens: number
  takesImages: boolean
}

/** The model is the team's default unless named. */
type AskedQuestion = Omit<Question, 'model'> & { model?: string | undefined }

export interface ModelsOptions {
  database: Database
  events: EventBus
  keyRing: KeyRing
  egress: Egress
  /** What the operator set in the environment, by name. */
  settings: Readonly<Record<string, string | undefined>>
}

// servers that say nothing of it: small enough for what people run at home
const assumedContextTokens = 32_000
// others break a request, and an error that quotes them would show the key
const keyPattern = /^[\x20-\x7e]+$/
// a list that old is good enough to pick the model of a turn from
const freshEnoughMs = 15_000

export type Models = ReturnType<typeof createModels>

/** The models a team can use: with its own keys, or with those the operator set for everyone. */
export function createModels({ database, events, keyRing, egress, settings }: ModelsOptions) {
  const fetchFor = createDoorFetches(egress)

  /** What a team set by itself, by name. */
  const ownSettings = (teamId: string, ids: readonly ProviderId[]): Promise<ReadonlyMap<string, string>> =>
    openSecrets({ database, keyRing }, teamId, ids.flatMap(namesOf))

  /** How a team gets to a provider; undefined when nobody set it up. */
  async function findDoor(teamId: string, id: ProviderId): Promise<Door | undefined> {
    const door = doorOf(id, await ownSettings(teamId, [id]))
    return door && { ...door, teamId }
  }

  function doorOf(id: ProviderId, own: ReadonlyMap<string, string>): Omit<Door, 'teamId'> | undefined {
    const { keyName = '', urlName = '', defaultUrl } = providers[id]
    // a team's own key wins: it is that team's money
    const ownKey = own.get(keyName)?.trim()
    const ownUrl = id === 'ollama' ? undefined : own.get(urlName)
    if (ownUrl) return { setBy: 'team', baseUrl: ownUrl, apiKey: ownKey || undefined }
    if (ownKey && defaultUrl) return { setBy: 'team', baseUrl: defaultUrl, apiKey: ownKey }
    const url = settings[urlName] || defaultUrl
    const key = settings[keyName]?.trim()
    if (id === 'ollama') return { setBy: 'operator', baseUrl: ollamaUrl(url ?? ''), apiKey: undefined }
    if (!url || (defaultUrl && !key)) return undefined
    return { setBy: 'operator', baseUrl: url, apiKey: key || undefined }
  }

  const listModels = createServerModelLists()

  /** Neither key nor address are repeated: whoever is told of the problem may not know them. */
  function serverOf(id: ProviderId, door: Door): ModelServer | { problem: string } {
    if (door.apiKey && !keyPattern.test(door.apiKey)) {
      return { problem: 'Its key cannot be used: it has characters that no key has, such as a line break' }
    }
    const headers = door.apiKey ? providers[id].showKey(door.apiKey) : {}
    try {
      return { baseUrl: door.baseUrl, headers, fetch: fetchFor(door) }
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      return { problem: 'Its address cannot be used: it looks like https://models.example.org/v1' }
    }
  }

  async function stateOf(
    id: ProviderId,
    { teamId, own, freshMs }: { teamId: string; own: ReadonlyMap<string, string>; freshMs: number },
  ): Promise<ProviderState> {
    const names = namesOf(id)
    const known = catalogue.filter(({ name }) => name.startsWith(`${id}/`)).map(describe)
    const found = doorOf(id, own)
    const state = { id, title: providers[id].title, names, ownNames: names.filter((name) => own.has(name)) }
    if (!found || known.length > 0) return { ...state, setBy: found?.setBy ?? null, models: known }
    const server = serverOf(id, { ...found, teamId })
    const listed = 'problem' in server ? server : await listModels(server, freshMs)
    if ('problem' in listed) {
      // nobody asked for an Ollama: where there is none, nothing is wrong
      const isSilent = id === 'ollama' && !settings['OLLAMA_HOST']
      return { ...state, setBy: isSilent ? null : found.setBy, models: [], ...(!isSilent && listed) }
    }
    const models = listed.models.map((name) => ({ name: `${id}/${name}`, title: name, price: null }))
    return { ...state, setBy: found.setBy, models }
  }

  async function open(teamId: string, id: ProviderId): Promise<Connection> {
    const door = await findDoor(teamId, id)
    if (!door) throw notSetUp(id)
    const server = serverOf(id, door)
    if ('problem' in server) throw new CoherexError('unavailable', `${providers[id].title}: ${server.problem}`)
    return { ...door, fetch: server.fetch }
  }

  /** The model that makes vectors of texts: the team's choice, else the operator's; null when nobody chose one. */
  async function findEmbeddingModel(teamId: string): Promise<string | null> {
    return (await readChoice(database, teamId)).embeddingModel ?? settings['COHEREX_EMBEDDING_MODEL'] ?? null
  }

  return {
    resolve,

    /** Why a model cannot be used by a team; undefined when it can. */
    async refuses(teamId: string, name: string): Promise<string | undefined> {
      const [id] = splitName(name)
      const door = await findDoor(teamId, id)
      if (!door) return notSetUp(id).message
      const server = serverOf(id, door)
      return 'problem' in server ? `${providers[id].title}: ${server.problem}` : undefined
    },

    /** Whether a provider answers to the key that the team's agents use. */
    async check(teamId: string, id: ProviderId): Promise<{ problem: string | null }> {
      const door = await findDoor(teamId, id)
      if (!door) return { problem: notSetUp(id).message }
      const server = serverOf(id, door)
      const asked = 'problem' in server ? server : await askForModels(server)
      return { problem: 'problem' in asked ? asked.problem : null }
    },

    choose,
    list,
    firstUsable,
    choices,

    async setDefault(caller: TeamCaller, model: string | null): Promise<ModelChoices> {
      await setChoice({ database, events }, caller, { model })
      return choices(caller.teamId)
    },

    findEmbeddingModel,

    async setEmbedding(caller: TeamCaller, model: string | null): Promise<ModelChoices> {
      if (model !== null) requireEmbedding(splitName(model)[0])
      await setChoice({ database, events }, caller, { embeddingModel: model })
      return choices(caller.teamId)
    },

    /** One question outside of turns, within the money of the team and of the person. */
    async ask(caller: TeamCaller, { model: named, ...asked }: AskedQuestion): Promise<Answer> {
      const { teamId } = caller
      const model = await resolve(teamId, await choose(teamId, [named]))
      return askModel(database, caller, { ...asked, model })
    },

    /** Vectors of texts, within the team's money. */
    async embed(teamId: string, asked: TextsToEmbed): Promise<Embedding> {
      const name = await findEmbeddingModel(teamId)
      if (name === null) {
        throw new CoherexError(
          'not_found',
          'No embedding model is set: an admin chooses one under Settings, Models, or the operator sets COHEREX_EMBEDDING_MODEL',
        )
      }
      const quotas = await database.transaction({ team: teamId }, (transaction) => quotasOf(transaction, teamId))
      checkQuota(quotas, 'spendUsdPerMonth', await readSpentUsd(database, teamId))
      const [id, model] = splitName(name)
      const made = await embedTexts(name, await requireEmbedding(id)(model, await open(teamId, id)), asked)
      const tokens = { input: made.tokens, cachedInput: 0, output: 0 }
      await countUse(database, { teamId, purpose: 'embedding', model: name, tokens, price: findEmbeddingPrice(name) })
      return made
    },
  }

  async function resolve(teamId: string, name: string): Promise<ResolvedModel> {
    const [id, model] = splitName(name)
    const known = findKnownModel(name)
    return {
      name,
      model: await providers[id].connect(model, await open(teamId, id)),
      price: known?.price,
      contextTokens: known?.contextTokens ?? assumedContextTokens,
      takesImages: known?.takesImages ?? true,
    }
  }

  /** The first that anyone named: the caller, the thread, the agent, the team; else the first that works. */
  async function choose(teamId: string, named: (string | null | undefined)[]): Promise<string> {
    const name = named.find((one) => one) ?? (await readChoice(database, teamId)).model ?? (await firstUsable(teamId))
    if (name) return name
    throw new CoherexError(
      'unavailable',
      'No model is set up: an admin can add a key under Settings, Models, or the operator sets ANTHROPIC_API_KEY, ' +
        'OPENAI_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or COHEREX_COMPATIBLE_BASE_URL. A local Ollama is found by itself',
    )
  }

  async function list(teamId: string): Promise<ProviderState[]> {
    const own = await ownSettings(teamId, providerIds)
    return Promise.all(providerIds.map((id) => stateOf(id, { teamId, own, freshMs: 0 })))
  }

  /** The first model that would work, for agents that name none and teams that chose none. */
  async function firstUsable(teamId: string): Promise<string | undefined> {
    const own = await ownSettings(teamId, providerIds)
    for (const id of providerIds) {
      const { setBy, models } = await stateOf(id, { teamId, own, freshMs: freshEnoughMs })
      if (setBy && models[0]) return models[0].name
    }
    return undefined
  }

  async function choices(teamId: string): Promise<ModelChoices> {
    const { model: chosen, embeddingModel: chosenEmbedding } = await readChoice(database, teamId)
    const providerStates = await list(teamId)
    const first = providerStates.find(({ setBy, models: [one] }) => setBy && one)?.models[0]?.name
    return {
      providers: providerStates,
      defaultModel: chosen ?? first ?? null,
      isChosen: chosen !== null,
      embeddingModel: await findEmbeddingModel(teamId),
      isEmbeddingChosen: chosenEmbedding !== null,
    }
  }
}

function splitName(name: string): [ProviderId, string] {
  const at = name.indexOf('/')
  const id = providerIds.find((one) => one === name.slice(0, at))
  if (!id) throw new CoherexError('invalid_input', `"${name}" names no provider: ${providerIds.join(', ')}`)
  return [id, name.slice(at + 1)]
}

function requireEmbedding(id: ProviderId): NonNullable<Provider['connectEmbedding']> {
  const { title, connectEmbedding } = providers[id]
  if (connectEmbedding) return connectEmbedding
  throw new CoherexError('invalid_input', `${title} has no embedding models: choose one of another provider`)
}

/** Secrets of a team, or settings of the operator, that set a provider up. */
function namesOf(id: ProviderId): string[] {
  const { keyName, urlName } = providers[id]
  return [urlName, keyName].filter((name) => name !== undefined)
}

function notSetUp(id: ProviderId): CoherexError {
  const { title } = providers[id]
  const names = namesOf(id).join(' and ')
  return new CoherexError(
    'unavailable',
    `${title} is not set up: an admin can add it under Settings, Models, or the operator sets ${names}`,
  )
}

/** `OLLAMA_HOST` is written with or without scheme; its Chat Completions live below /v1. */
function ollamaUrl(host: string): string {
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`
  return `${url.replace(/\/+$/, '')}/v1`
}

function describe({ name, title, price }: KnownModel) {
  return { name, title, price: price ?? null }
}
