/** Which field of a request is to blame. */
export type GitField = 'url' | 'branch' | 'secret'

export type GitRefusalCode = 'invalid_input' | 'not_found' | 'conflict' | 'too_large' | 'unavailable'

/** Why a repository was not read or written. Crosses from the thread to the server as a value. */
export interface GitRefusal {
  code: GitRefusalCode
  message: string
  field?: GitField | undefined
}

/** The same while it is thrown. */
export class GitRefused extends Error {
  readonly refusal: GitRefusal

  constructor(code: GitRefusalCode, message: string, field?: GitField) {
    super(message)
    this.refusal = { code, message, field }
  }
}
