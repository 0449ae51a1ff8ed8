/**
 * What a response carries, taken hold of at once: of a response that nobody has any more, Node ends a body that nobody has
 * begun to read, and what comes then is empty and looks whole.
 */
export function bodyOf(response: Response): AsyncIterable<Uint8Array> | string {
  return response.body?.values() ?? ''
}
