import { setTimeout as wait } from 'node:timers/promises'
import { backoff } from '@coherex/contract'
import { AwsV4Signer } from 'aws4fetch'

export interface S3Place {
  /** Such as `https://s3.eu-central-1.example.com`. Buckets are named in the path. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Goes before every key, for a bucket that others use too. */
  prefix: string
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Of the object, below the prefix; none for the bucket itself. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
}

const tries = 4
const waits = { firstMs: 200, longestMs: 2_000 }

/** Sends signed requests to one bucket, again where the store was busy or the line was lost. */
export function createS3Requests(place: S3Place, fetch: Fetch) {
  const { bucket, region, accessKeyId, secretAccessKey, prefix } = place
  const base = `${place.endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`

  const send = async ({ method, key, query = {}, headers = {}, body }: S3Request): Promise<Response> => {
    const path = key === undefined ? '' : `/${prefix}${key}`
    const signed = await new AwsV4Signer({
      ...{ method, url: `${base}${path}?${new URLSearchParams(query).toString()}`, headers },
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
      ...{ accessKeyId, secretAccessKey, region, service: 's3' },
    }).sign()
    return fetch(signed.url.href, {
      method,
      headers: signed.headers,
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    })
  }

  /** The answer, where its status is one that was expected. */
  return async (request: S3Request, ...expected: number[]): Promise<Response> => {
    for (let failures = 1; ; failures++) {
      const answer = await send(request).catch((error: unknown) => error as Error)
      if (answer instanceof Response && expected.includes(answer.status)) return answer
      const isPassing = !(answer instanceof Response) || answer.status >= 500 || answer.status === 429
      if (!isPassing || failures === tries) throw await toError(request, answer)
      if (answer instanceof Response) await answer.body?.cancel()
      await wait(backoff(failures, waits))
    }
  }

  async function toError({ method }: S3Request, answer: Response | Error): Promise<Error> {
    const asked = `${method} in the bucket "${bucket}" at ${new URL(place.endpoint).host}`
    if (!(answer instanceof Response)) {
      const cause = (answer.cause as Error | undefined)?.message ?? answer.message
      return new Error(`The object store does not answer (${asked}): ${cause}`, { cause: answer })
    }
    const text = await answer.text().catch(() => '')
    const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? `status ${answer.status}`
    return new Error(`The object store refuses (${asked}): ${code}`)
  }
}

export type S3Requests = ReturnType<typeof createS3Requests>
