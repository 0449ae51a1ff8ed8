import { CoherexError, type Route, type RouteInput } from '@coherex/contract'
import type { Context } from 'hono'
import type { z } from 'zod'
import { readBody } from './read-body.ts'
import type { Env } from './request-context.ts'

interface FieldProblem {
  field: string
  message: string
}

/** Params, query and body as the route's schemas say, or one error that names each wrong field. */
export async function parseRequest<R extends Route>(route: R, context: Context<Env>): Promise<RouteInput<R>> {
  const problems: FieldProblem[] = []
  const check = (part: string, schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues) problems.push(...toProblems(part, issue))
    return undefined
  }
  const input = {
    params: check('', route.params, context.req.param()),
    query: check('', route.query, context.req.query()),
    body: check('', route.body, route.body && (await readJson(context))),
  }
  const first = problems[0]
  if (first) {
    const message = first.field ? `${first.field}: ${first.message}` : first.message
    throw new CoherexError('invalid_input', message, { details: problems })
  }
  return input as RouteInput<R>
}

function toProblems(part: string, issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: pathOf(part, [...issue.path, key]), message: 'there is no such field' }))
  }
  return [{ field: pathOf(part, issue.path), message: issue.message }]
}

function pathOf(part: string, path: readonly PropertyKey[]): string {
  return [...(part ? [part] : []), ...path.map(String)].join('.')
}

async function readJson(context: Context<Env>): Promise<unknown> {
  // a form of another site can post text/plain or a form, never JSON
  if (!/^application\/([\w.-]+\+)?json\b/i.test(context.req.header('content-type') ?? '')) {
    throw new CoherexError('invalid_input', 'The body must be JSON, with Content-Type: application/json')
  }
  const text = await readBody(context)
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new CoherexError('invalid_input', 'The body is not valid JSON', { cause })
  }
}
