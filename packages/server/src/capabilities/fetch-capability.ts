import { z } from 'zod'
import { type Outbound, defaultBodyBytes, EgressError, type FetchedResponse, showUrlPrefix } from '../egress/index.ts'
import { CapabilityError, type Capability } from './capability.ts'
import { defineMethod } from './define-method.ts'
import { fewNames } from './few-names.ts'

const maxRequestBytes = 10_000_000

const maxHeaders = 200
// pairs are counted as names are
const headers = fewNames(
  maxHeaders,
  z.union([
    z.array(z.tuple([z.string(), z.string()])),
    z.record(z.string(), z.string()).transform((record) => Object.entries(record)),
  ]),
)

const fetchOptions = z
  .strictObject({
    method: z.string().max(40).optional(),
    headers: headers.optional(),
    body: z.union([z.string().max(maxRequestBytes), z.instanceof(Uint8Array)]).nullish(),
    maxBytes: z.number().int().min(0).optional(),
    encoding: z.enum(['utf8', 'bytes', 'base64']).default('utf8'),
    redirect: z.enum(['follow', 'manual', 'error']).optional(),
  })
  .optional()

/** The network as a run was granted it. The rules, the log and the guard are the caller's. */
export function createFetchCapability(caller: Outbound): Capability {
  const { allow, methods, limits } = caller.rules
  const config = {
    allow: allow === 'any' ? ['https://*', 'http://*'] : allow.map(showUrlPrefix),
    methods: [...methods],
    maxBytes: defaultBodyBytes,
    maxBytesLimit: limits.bodyBytes,
    maxRedirects: limits.redirects,
    timeoutMs: limits.totalMs,
  }
  return {
    props: config,
    methods: {
      fetch: defineMethod(
        'FETCH.fetch',
        () => z.tuple([z.string(), fetchOptions]),
        async ([url, options], signal) => {
          const { body, encoding = 'utf8', ...request } = options ?? {}
          const bytes = typeof body === 'string' ? Buffer.from(body) : body
          if (bytes && bytes.length > maxRequestBytes) {
            throw new CapabilityError(
              'INVALID_ARGUMENT',
              `Cannot call FETCH.fetch(): the body is over ${maxRequestBytes} bytes`,
            )
          }
          try {
            const response = await caller.fetch(
              { ...withoutUndefined(request), url, ...(bytes && { body: bytes }) },
              signal,
            )
            const ok = response.status >= 200 && response.status < 300
            return { ...response, ok, body: encodeBody(response, encoding) }
          } catch (error) {
            if (signal.aborted) throw new CapabilityError('CANCELLED', 'Cannot fetch: the run was ended')
            if (error instanceof EgressError) throw new CapabilityError(error.code, error.message)
            throw error
          }
        },
      ),
      config: defineMethod(
        'FETCH.config',
        () => z.tuple([]),
        async () => structuredClone(config),
      ),
      log: defineMethod(
        'FETCH.log',
        () => z.tuple([]),
        async () => caller.log(),
      ),
      clearLog: defineMethod(
        'FETCH.clearLog',
        () => z.tuple([]),
        async () => {
          caller.clearLog()
          return null
        },
      ),
    },
  }
}

function encodeBody(
  { body, headers: list }: FetchedResponse,
  encoding: 'utf8' | 'bytes' | 'base64',
): string | Uint8Array {
  if (encoding === 'bytes') return new Uint8Array(body)
  if (encoding === 'base64') return Buffer.from(body).toString('base64')
  const type = list.find(([name]) => name === 'content-type')?.[1] ?? ''
  const label = /charset\s*=\s*"?([^\s;"]{1,40})/i.exec(type)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    // a charset nobody knows: the common one shows at least what is ASCII
    return new TextDecoder().decode(body)
  }
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as never
}
