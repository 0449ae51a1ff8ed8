import type { z } from 'zod'
import type { Access } from '../access/access.ts'
import type { ErrorCode } from './errors.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** One HTTP operation as data. The server mounts it, the client calls it, OpenAPI and the access matrix are made from it. */
export interface Route {
  method: Method
  /** With parameters as `{name}`. */
  path: string
  summary: string
  tag: string
  access: Access
  params?: z.ZodObject
  query?: z.ZodObject
  /** `bytes`: as they come, bounded by the handler and not by the size of JSON bodies. */
  body?: z.ZodType | 'bytes'
  /** The body may also come as `application/yaml`: its text is then the field `source`. */
  yaml?: true
  /** What a success answers; absent means an empty 204, `text` a body that is no JSON. */
  response?: z.ZodType | 'text'
  /** Status of a success when it is not 200 (or 204 without a response). */
  status?: 201 | 202
  /** A POST that makes something honours `Idempotency-Key` unless it says `false`. */
  idempotent?: false
  /** Tokens of OAuth clients are taken: they are bound to this route, and no other takes them. */
  takesTokens?: true
  /** Other statuses that it gives, with what they mean; a `wait` in its query is known to be 202. */
  otherAnswers?: Readonly<Record<number, string>>
  /** Refusals that its form does not tell: a GET that can be in conflict, a route without parameters that can miss something. */
  refusals?: readonly ErrorCode[]
  description?: string
}

export function route<const R extends Route>(definition: R): R {
  return definition
}

type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : never

type Field<R extends Route, Name extends 'params' | 'query' | 'body'> = R extends { [key in Name]: z.ZodType }
  ? object extends Input<R[Name]>
    ? { [key in Name]?: Input<R[Name]> }
    : { [key in Name]: Input<R[Name]> }
  : unknown

/** What a caller passes. Bytes are whatever the platform's `fetch` sends. */
export type RouteRequest<R extends Route> = Field<R, 'params'> &
  Field<R, 'query'> &
  (R extends { body: 'bytes' } ? { body: unknown } : Field<R, 'body'>)

/** What a handler gets: parsed, with defaults filled in. */
export interface RouteInput<R extends Route> {
  params: Output<R['params']>
  query: Output<R['query']>
  body: Output<R['body']>
}

/** What a handler answers and a caller receives. */
export type RouteResponse<R extends Route> = R extends { response: 'text' }
  ? string
  : R extends { response: z.ZodType }
    ? z.output<R['response']>
    : void
