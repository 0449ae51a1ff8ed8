import { CoherexError } from '@coherex/contract'
import type { LanguageModel } from 'ai'
import { openSecrets, type KeyRing } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { Egress } from '../../egress/index.ts'
import { catalogue, findKnownModel, type KnownModel, type Price } from './catalogue.ts'
import { createDoorFetches, type Door } from './door-fetches.ts'
import { createServerModelLists } from './list-server-models.ts'
import { providerIds, providers, type ProviderId } from './providers.ts'

/** A model that can be called, with what is known of it. */
export interface ResolvedModel {
  name: string
  model: LanguageModel
  price: Price | undefined
  contextTokens: number
  takesImages: boolean
}

export interface ProviderState {
  id: ProviderId
  title: string
  /** Who set it up; null when nobody did. */
  setBy: 'operator' | 'team' | null
  /** What to set where nobody did. */
  names: string[]
  models: { name: string; title: string; price: Price | null }[]
  /** Why its models could not be listed. */
  problem?: string
}

export interface ModelsOptions {
  database: Database
  keyRing: KeyRing
  egress: Egress
  /** What the operator set in the environment, by name. */
  settings: Readonly<Record<string, string | undefined>>
}

// servers that say nothing of it: small enough for what people run at home
const assumedContextTokens = 32_000
// a list that old is good enough to pick the model of a turn from
const freshEnoughMs = 15_000

export type Models = ReturnType<typeof createModels>

/** The models a team can use: with its own keys, or with those the operator set for everyone. */
export function createModels({ database, keyRing, egress, settings }: ModelsOptions) {
  const fetchFor = createDoorFetches(egress)

  /** How a team gets to each of these providers that are set up. */
  async function doorsOf(teamId: string, ids: readonly ProviderId[]): Promise<ReadonlyMap<ProviderId, Door>> {
    const names = ids.flatMap((id) => [providers[id].keyName ?? [], providers[id].urlName ?? []]).flat()
    const own = await openSecrets({ database, keyRing }, teamId, names)
    return new Map(
      ids.flatMap((id) => {
        const door = doorOf(id, own)
        return door ? [[id, { ...door, teamId }]] : []
      }),
    )
  }

  function doorOf(id: ProviderId, own: ReadonlyMap<string, string>): Omit<Door, 'teamId'> | undefined {
    const { keyName = '', urlName = '', defaultUrl } = providers[id]
    // a team's own key wins: it is that team's money
    const ownKey = own.get(keyName)
    const ownUrl = id === 'ollama' ? undefined : own.get(urlName)
    if (ownUrl) return { setBy: 'team', baseUrl: ownUrl, apiKey: ownKey || undefined }
    if (ownKey && defaultUrl) return { setBy: 'team', baseUrl: defaultUrl, apiKey: ownKey }
    const url = settings[urlName] || defaultUrl
    const key = settings[keyName]
    if (id === 'ollama') return { setBy: 'operator', baseUrl: ollamaUrl(url ?? ''), apiKey: undefined }
    if (!url || (defaultUrl && !key)) return undefined
    return { setBy: 'operator', baseUrl: url, apiKey: key || undefined }
  }

  const listModels = createServerModelLists()

  async function stateOf(id: ProviderId, door: Door | undefined, freshMs: number): Promise<ProviderState> {
    const { title, keyName, urlName } = providers[id]
    const names = [urlName, keyName].filter((name) => name !== undefined)
    const known = catalogue.filter(({ name }) => name.startsWith(`${id}/`)).map(describe)
    if (!door) return { id, title, setBy: null, names, models: known }
    if (known.length > 0) return { id, title, setBy: door.setBy, names, models: known }
    const listed = await listModels({ ...door, fetch: fetchFor(door) }, freshMs)
    if ('problem' in listed) {
      // nobody asked for an Ollama: where there is none, nothing is wrong
      const isSilent = id === 'ollama' && !settings['OLLAMA_HOST']
      return { id, title, setBy: isSilent ? null : door.setBy, names, models: [], ...(!isSilent && listed) }
    }
    const models = listed.models.map((name) => ({ name: `${id}/${name}`, title: name, price: null }))
    return { id, title, setBy: door.setBy, names, models }
  }

  return {
    async resolve(teamId: string, name: string): Promise<ResolvedModel> {
      const [id, model] = splitName(name)
      const door = (await doorsOf(teamId, [id])).get(id)
      if (!door) throw notSetUp(id)
      const known = findKnownModel(name)
      return {
        name,
        model: await providers[id].connect(model, { ...door, fetch: fetchFor(door) }),
        price: known?.price,
        contextTokens: known?.contextTokens ?? assumedContextTokens,
        takesImages: known?.takesImages ?? true,
      }
    },

    /** Why a model cannot be used by a team; undefined when it can. */
    async refuses(teamId: string, name: string): Promise<string | undefined> {
      const [id] = splitName(name)
      return (await doorsOf(teamId, [id])).has(id) ? undefined : notSetUp(id).message
    },

    async list(teamId: string): Promise<ProviderState[]> {
      const doors = await doorsOf(teamId, providerIds)
      return Promise.all(providerIds.map((id) => stateOf(id, doors.get(id), 0)))
    },

    /** The first model that would work, for agents that name none and teams that chose none. */
    async firstUsable(teamId: string): Promise<string | undefined> {
      const doors = await doorsOf(teamId, providerIds)
      for (const id of providerIds) {
        const state = await stateOf(id, doors.get(id), freshEnoughMs)
        const [first] = state.models
        if (state.setBy && first) return first.name
      }
      return undefined
    },
  }
}

function splitName(name: string): [ProviderId, string] {
  const at = name.indexOf('/')
  const id = providerIds.find((one) => one === name.slice(0, at))
  if (!id) throw new CoherexError('invalid_input', `"${name}" names no provider: ${providerIds.join(', ')}`)
  return [id, name.slice(at + 1)]
}

function notSetUp(id: ProviderId): CoherexError {
  const { title, keyName, urlName } = providers[id]
  const names = [urlName, keyName].filter(Boolean).join(' and ')
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
