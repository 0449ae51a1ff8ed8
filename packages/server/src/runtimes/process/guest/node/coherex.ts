// What `import … from 'coherex'` gives a program: the capabilities of its run, its input, and rich output.
import { type Capability, CapabilityError, createCapability, createRefusal } from './calls.ts'
import { send } from './channel.ts'
import { createDisplay } from './display.ts'
import { given } from './given.ts'

const hold = (name: string): Capability => {
  const methods = given.capabilities[name]
  return methods ? createCapability(name, methods) : createRefusal(name)
}

export const FILES = hold('FILES')
export const BASH = hold('BASH')
export const FETCH = hold('FETCH')
export const VARS = hold('VARS')
export const ECHO = hold('ECHO')
export const TOOLS = hold('TOOLS')

/** The capabilities the run holds, and only those. */
export const env: Record<string, Capability> = Object.fromEntries(
  Object.entries(given.capabilities).map(([name, methods]) => [name, createCapability(name, methods)]),
)
export const input: unknown = given.input
export const display = createDisplay((data) => send({ type: 'display', data }))
export { CapabilityError }

const all = { FILES, BASH, FETCH, VARS, ECHO, TOOLS, env, input, display, CapabilityError }
// oxlint-disable-next-line import/no-default-export -- guests write `import coherex from 'coherex'`, as in the isolate
export { all as default }
