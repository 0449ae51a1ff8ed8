import type { NpmFailure } from '../messages.ts'

/** Why packages cannot be resolved, in words for whoever asked. */
export class Failure extends Error {
  readonly why: NpmFailure

  constructor(why: NpmFailure, message: string) {
    super(message)
    this.why = why
  }
}
