/**
 * Something running code may hold. The guest sees an object with these methods; a call crosses the sandbox's pipe as
 * data and is answered by the host. Arguments come from the guest: each method parses them.
 */
export interface Capability {
  readonly methods: Record<string, CapabilityMethod>
  /** Constant data about this grant, the same for the whole run. */
  readonly props?: Readonly<Record<string, unknown>>
}

/**
 * Takes and returns structured-clone data only. A CapabilityError reaches the guest with its code. `taken` settles when the
 * answer has left the server: what is large waits for it before the next is made.
 */
export type CapabilityMethod = (args: unknown[], signal: AbortSignal, taken?: Promise<void>) => Promise<unknown>

/** By the name the guest knows: FILES, BASH, FETCH, VARS, ECHO, TOOLS. */
export type Capabilities = Readonly<Record<string, Capability>>

/** A refusal the guest may see and catch. `code` is such as URL_NOT_ALLOWED. */
export class CapabilityError extends Error {
  override readonly name = 'CapabilityError'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
