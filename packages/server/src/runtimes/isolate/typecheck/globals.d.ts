// oxlint-disable typescript/no-explicit-any -- these are types for guests' programs, who are to use values without casts
/** What a program of the isolate runtime has beside the standard globals. */
type Capability = Record<string, (...args: any[]) => Promise<any>>

/** What the run holds: the first argument of a default export. */
type Env = Record<string, Capability> & { VARS: Record<string, string> }

declare const env: Env
declare const input: any
declare const display: ((value: unknown) => void) & {
  html(text: string): void
  markdown(text: string): void
  svg(text: string): void
  json(value: unknown): void
  png(bytes: Uint8Array): void
}

declare module 'coherex' {
  export const env: Env
  export const input: any
  export const display: typeof globalThis.display
  export const FILES: Capability
  export const BASH: Capability
  export const FETCH: Capability
  export const VARS: Capability
  export const ECHO: Capability
  export const TOOLS: Capability
  export class CapabilityError extends Error {
    readonly code: string
  }
}
