import { CoherexError, type Route, type RouteInput } from '@coherex/contract'
import type { Context } from 'hono'
import type { z } from 'zod'
import { refuseJson } from '../../../base/index.ts'
import { readBody } from './read-body.ts'
import type { Env } from './request-context.ts'

// an answer stays small however much nonsense was sent
const mostProblems = 20
const longestText = 300

interface FieldProblem {
  field: string
  message: string
}

/** Params, query and body as the route's schemas say, or one error that names each wrong field. */
export async function parseRequest<R extends Route>(route: R, context: Context<Env>): Promise<RouteInput<R>> {
  const problems: FieldProblem[] = []
  const check = (schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues) problems.push(...toProblems(issue))
    return undefined
  }
  const input = {
    params: check(route.params, context.req.param()),
    query: check(route.query, context.req.query()),
    // bytes are left to the handler, which knows how many it takes
    body: route.body === 'bytes' ? undefined : check(route.body, route.body && (await readDocument(route, context))),
  }
  const first = problems[0]
  if (first) {
    const message = first.field ? `${first.field}: ${first.message}` : first.message
    throw new CoherexError('invalid_input', message, { details: problems.slice(0, mostProblems) })
  }
  return input as RouteInput<R>
}

function toProblems(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, mostProblems)
      .map((key) => ({ field: pathOf([...issue.path, key]), message: 'there is no such field' }))
  }
  // of a name that a record does not take, the rule it breaks
  const told = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue
  return [{ field: pathOf(issue.path), message: told.message.slice(0, longestText) }]
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, longestText)
}

async function readDocument(route: Route, context: Context<Env>): Promise<unknown> {
  // as with JSON, no form of another site can post it
  const isYaml = /^application\/(x-)?yaml\b/i.test(context.req.header('content-type') ?? '')
  return route.yaml && isYaml ? { source: await readBody(context) } : readJson(context)
}

async function readJson(context: Context<Env>): Promise<unknown> {
  // a form of another site can post text/plain or a form, never JSON
  if (!/^application\/([\w.-]+\+)?json\b/i.test(context.req.header('content-type') ?? '')) {
    throw new CoherexError('invalid_input', 'The body must be JSON, with Content-Type: application/json')
  }
  const text = await readBody(context)
  const refusal = refuseJson(Buffer.from(text))
  if (refusal !== undefined) throw new CoherexError('invalid_input', `The body cannot be read: ${refusal}`)
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new CoherexError('invalid_input', 'The body is not valid JSON', { cause })
  }
}
