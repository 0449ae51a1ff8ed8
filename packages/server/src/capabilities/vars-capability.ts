import { z } from 'zod'
import type { Capability } from './capability.ts'
import { defineMethod } from './define-method.ts'

/** Environment variables of the run. A copy without a prototype: `get('constructor')` finds nothing. */
export function createVarsCapability(variables: Readonly<Record<string, string>>): Capability {
  const held = new Map(Object.entries(variables))
  return {
    methods: {
      get: defineMethod(
        'VARS.get',
        () => z.tuple([z.string()]),
        async ([name]) => held.get(name) ?? null,
      ),
      all: defineMethod(
        'VARS.all',
        () => z.tuple([]),
        async () => Object.fromEntries(held),
      ),
    },
  }
}
