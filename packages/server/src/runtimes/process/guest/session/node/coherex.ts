// What `import … from 'coherex'` gives a cell. The module stays; what it grants is that of the cell that runs.
import { type Capability, CapabilityError, createCapability, createRefusal } from '../../node/calls.ts'
import { createDisplay } from '../../node/display.ts'
import { given } from '../../node/given.ts'
import { show } from './output.ts'

const hold = (name: string): Capability =>
  new Proxy(
    {},
    {
      get(_, method) {
        const methods = given.capabilities[name]
        if (typeof method === 'symbol') return undefined
        return methods ? createCapability(name, methods)[method] : createRefusal(name)[method]
      },
    },
  )

export const FILES = hold('FILES')
export const BASH = hold('BASH')
export const FETCH = hold('FETCH')
export const VARS = hold('VARS')
export const ECHO = hold('ECHO')
export const TOOLS = hold('TOOLS')

/** The capabilities the cell holds, and only those. */
export const env: Record<string, Capability> = new Proxy(
  {},
  {
    get: (_, name) => (typeof name === 'string' && given.capabilities[name] ? hold(name) : undefined),
    ownKeys: () => Object.keys(given.capabilities),
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === 'string' && given.capabilities[name]
        ? { value: hold(name), enumerable: true, configurable: true }
        : undefined,
  },
)
export const display = createDisplay(show)
/** The input of the cell that runs. */
export let input: unknown = given.input
export function setInput(value: unknown): void {
  input = value
}
export { CapabilityError }

const all = {
  ...{ FILES, BASH, FETCH, VARS, ECHO, TOOLS, env, display, CapabilityError },
  get input() {
    return input
  },
}
// oxlint-disable-next-line import/no-default-export -- guests write `import coherex from 'coherex'`, as in the isolate
export { all as default }
