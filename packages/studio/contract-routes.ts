import { runnerImport, type Plugin } from 'vite'

const routesModule = 'virtual:contract-routes'
const artifactsModule = 'virtual:artifact-routes'
const schemasModule = 'virtual:no-schemas'
const contractFolder = new URL('../contract/src/', import.meta.url).pathname

interface RouteLine {
  method: string
  path: string
  body?: unknown
  response?: unknown
  idempotent?: false
}

/**
 * The contract without its schemas. The browser only needs to know where to call and what comes back, as
 * `virtual:contract-routes`, without those it never calls, and `virtual:artifact-routes` for blocks that come later; the schemas would bring all of zod into the first load. They are the server's to check.
 */
export function contractRoutes(): Plugin {
  return {
    name: 'contract-routes',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id === routesModule || id === artifactsModule) return `\0${id}`
      if (id === 'zod' && importer?.startsWith(contractFolder)) return `\0${schemasModule}`
      return undefined
    },
    async load(id) {
      if (id === `\0${schemasModule}`) return { code: noSchemas, moduleSideEffects: false }
      if (id !== `\0${routesModule}` && id !== `\0${artifactsModule}`) return undefined
      const { module, dependencies } = await runnerImport<{ routes: Record<string, Record<string, RouteLine>> }>(
        `${contractFolder}index.ts`,
      )
      for (const file of dependencies) this.addWatchFile(file)
      const { artifacts, shares, openai: _, ...routes } = module.routes
      const own = id === `\0${artifactsModule}` ? { artifacts, shares } : routes
      return `export const routes = ${JSON.stringify(own, keepWhatCallsNeed)}`
    },
    transform: (_code, id) => (id.startsWith(contractFolder) ? { moduleSideEffects: false } : undefined),
  }
}

function keepWhatCallsNeed(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('method' in value)) return value
  const { method, path, body, response, idempotent } = value as RouteLine
  return {
    method,
    path,
    body: body === 'bytes' ? body : undefined,
    response: typeof response === 'object' ? 'json' : response,
    idempotent,
  }
}

/** Stands for zod where the contract makes its schemas: making one is harmless, using one is an error that says so. */
const noSchemas = `
export const z = new Proxy(function () {}, {
  apply: () => z,
  get(_, name) {
    if (/parse/i.test(String(name))) throw new Error('The studio has no schemas of the contract')
    return z
  },
})
`
