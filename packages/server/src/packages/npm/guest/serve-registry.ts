import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Documents } from './documents.ts'

/** A registry inside the sandbox, for a library that wants one: what it has are the documents. */
export async function serveRegistry(documents: Documents): Promise<{ url: string; failure(): unknown; close(): void }> {
  let failure: unknown
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1))
    documents
      .find(name)
      .then((document) => {
        // nothing of it is to be kept on disk: it is here already
        response.setHeader('cache-control', 'no-store')
        response.setHeader('content-type', 'application/json')
        response.statusCode = document ? 200 : 404
        response.end(JSON.stringify(document ?? {}))
      })
      .catch((error: unknown) => {
        failure ??= error
        response.statusCode = 400
        response.end('{}')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, failure: () => failure, close: () => server.close() }
}
