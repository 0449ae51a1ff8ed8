const largestRest = 50 * 1024 * 1024

/** A body as it comes. Not cancelled when it is refused: that would cut the connection before the client could read why. */
export async function* bodyChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body) yield* body.values({ preventCancel: true })
}

/** Reads on and throws away, so that the client has sent all of it and hears the answer; not without end. */
export async function readRest(body: ReadableStream<Uint8Array> | null): Promise<void> {
  let left = largestRest
  for await (const chunk of bodyChunks(body)) {
    left -= chunk.length
    if (left < 0) return
  }
}
