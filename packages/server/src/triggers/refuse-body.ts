import { isUtf8 } from 'node:buffer'
import { CoherexError } from '@coherex/contract'
import { refuseJson } from '../base/index.ts'

// what the senders we know send: JSON, GitHub's and Slack's forms, and text by hand
const texts = /^(application\/([\w.-]+\+)?json|application\/x-www-form-urlencoded|text\/plain)\s*(;|$)/i

/** Refuses a body that no agent could read as text. Asked only about bodies whose sender is known. */
export function refuseBody({ contentType, body }: { contentType: string; body: Buffer }): void {
  if (body.length === 0) return
  if (!texts.test(contentType)) {
    throw new CoherexError(
      'invalid_input',
      'The body must be JSON, a URL-encoded form or plain text, and its Content-Type say so',
    )
  }
  // a NUL is valid UTF-8, and nothing that is stored as text may hold one
  if (!isUtf8(body) || body.includes(0)) throw new CoherexError('invalid_input', 'The body is not valid UTF-8 text')
  const refusal = refuseJson(body)
  if (refusal !== undefined) throw new CoherexError('invalid_input', `The body cannot be read: ${refusal}`)
}
