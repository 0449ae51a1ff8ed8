/** The part of a platform's Response that carries a stream. */
export interface StreamedLike {
  body: { getReader(): ReaderLike } | null
}

interface ReaderLike {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

/** The pieces of a response's body. Safari's streams are no async iterables. */
export async function* bodyChunks({ body }: StreamedLike): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      if (value) yield value
    }
  } finally {
    // whoever stops listening early must not leave the connection open; a broken one needs no closing
    void reader.cancel().catch(() => undefined)
  }
}
