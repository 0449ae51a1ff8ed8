import { runnerImport, type Plugin } from 'vite'

const moduleName = 'virtual:contract-routes'
const contractFolder = new URL('../contract/src/', import.meta.url).pathname

interface RouteLine {
  method: string
  path: string
  response?: unknown
  idempotent?: false
}

/**
 * The route table without its schemas, as `virtual:contract-routes`. The browser only needs to know where to call and
 * what comes back; the schemas would bring all of zod into the first load.
 */
export function contractRoutes(): Plugin {
  return {
    name: 'contract-routes',
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    async load(id) {
      if (id !== `\0${moduleName}`) return undefined
      const { module, dependencies } = await runnerImport<{ routes: Record<string, Record<string, RouteLine>> }>(
        `${contractFolder}index.ts`,
      )
      for (const file of dependencies) this.addWatchFile(file)
      return `export const routes = ${JSON.stringify(module.routes, keepWhatCallsNeed)}`
    },
    // a schema nobody in the browser uses is left out, though making it is a call
    transform: (_code, id) => (id.startsWith(contractFolder) ? { moduleSideEffects: false } : undefined),
  }
}

function keepWhatCallsNeed(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('method' in value)) return value
  const { method, path, response, idempotent } = value as RouteLine
  return { method, path, response: typeof response === 'object' ? 'json' : response, idempotent }
}
