import { APICallError, JSONParseError, TypeValidationError } from 'ai'

/** The provider had accepted, and its answer did not come to its end. */
export function isCutOff({ statusCode }: APICallError): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300
}

/** Why a call of a model failed, for people. */
export function describeFailure(error: unknown, model: string): string {
  if (APICallError.isInstance(error) && isCutOff(error)) return 'The model broke off its answer'
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return 'The model broke off its answer with something that cannot be read'
  }
  if (!APICallError.isInstance(error))
    return `The model could not be reached or broke off: ${reasonOf(error).slice(0, 300)}`
  if (error.statusCode === 401 || error.statusCode === 403) {
    return 'The provider refused the key: an admin can set another one under Settings, Models'
  }
  if (error.statusCode === 404) return `The provider does not know the model ${model}`
  if (error.statusCode === 429) return 'The provider asks to slow down'
  // as Ollama says it of its smaller models
  if (/does not support tools/i.test(error.message)) {
    return `The model ${model} cannot call tools, and agents work with them: choose another one`
  }
  const status = error.statusCode ? ` ${error.statusCode}` : ''
  return `The provider answered with an error${status}: ${reasonOf(error).slice(0, 300)}`
}

export function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error
  return error instanceof Error ? error.message : 'no reason was given'
}
