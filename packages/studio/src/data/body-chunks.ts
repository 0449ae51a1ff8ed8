/** The pieces of a response's body. Safari's streams are no async iterables. */
export async function* bodyChunks(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // whoever stops listening early must not leave the connection open; a broken one needs no closing
    void reader.cancel().catch(() => undefined)
  }
}
