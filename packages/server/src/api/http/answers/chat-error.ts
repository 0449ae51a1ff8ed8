import {
  unsupportedChatFields,
  unsupportedResponseFields,
  type ChatError,
  type CoherexError,
  type ErrorCode,
} from '@coherex/contract'

const types: Record<ErrorCode, string> = {
  invalid_input: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  not_found: 'invalid_request_error',
  method_not_allowed: 'invalid_request_error',
  conflict: 'invalid_request_error',
  too_large: 'invalid_request_error',
  quota_exceeded: 'rate_limit_error',
  internal: 'server_error',
  unavailable: 'server_error',
}

const unsupported = new Set([...Object.keys(unsupportedChatFields), ...Object.keys(unsupportedResponseFields)])

/** What is not there, by the field that named it. */
const missing: Record<string, string> = {
  model: 'model_not_found',
  previous_response_id: 'previous_response_not_found',
  response_id: 'response_not_found',
}

export function isOpenAiPath(path: string): boolean {
  return /^\/v1(?:\/|$)/.test(path)
}

/** An error in the words that OpenAI's clients switch on. */
export function toChatError(error: CoherexError): ChatError {
  const param = paramOf(error)
  return { error: { message: error.message, type: types[error.code], param, code: codeOf(error, param) } }
}

function codeOf({ code, retryAfterSeconds }: CoherexError, param: string | null): string | null {
  switch (code) {
    case 'invalid_input':
      if (param === null) return null
      return unsupported.has(param) ? 'unsupported_parameter' : 'invalid_value'
    case 'unauthenticated':
      return 'invalid_api_key'
    case 'forbidden':
      return 'insufficient_permissions'
    case 'not_found':
      return missing[param ?? ''] ?? (param === null ? 'unknown_url' : 'not_found')
    case 'quota_exceeded':
      // what comes back within minutes is a rate; a month's money is not
      return retryAfterSeconds !== undefined && retryAfterSeconds <= 3600 ? 'rate_limit_exceeded' : 'insufficient_quota'
    case 'internal':
    case 'unavailable':
      return null
    default:
      return code
  }
}

/** `messages.0.content` is `messages[0].content` there; of what is not supported the field's name is enough. */
function paramOf({ details }: CoherexError): string | null {
  const [first] = Array.isArray(details) ? (details as { field?: unknown }[]) : []
  if (typeof first?.field !== 'string' || first.field === '') return null
  const [name = '', ...rest] = first.field.split('.')
  if (unsupported.has(name)) return name
  return [name, ...rest.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${key}`))].join('')
}
