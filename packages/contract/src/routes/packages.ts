import { z } from 'zod'
import {
  browserBundle,
  browserWheels,
  packageInfo,
  packageLanguage,
  packageLock,
  packagePolicy,
  packageSet,
  packageTypes,
  requirement,
  requirements,
} from '../packages/package.ts'
import { pageOf, pageQuery } from '../wire/page.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'Packages'
const look = { role: 'viewer', scope: 'read' } as const
const use = { role: 'editor', scope: 'run' } as const
const rule = { role: 'admin', scope: 'admin' } as const

const lockHash = text().regex(/^[0-9a-f]{64}$/, 'must be the hash of a lock')

export const packages = {
  resolve: route({
    method: 'post',
    path: '/api/v1/packages/resolve',
    summary: 'Resolve requirements to a lock by the team’s rules, and have it fetched',
    description:
      'Answers as soon as it is resolved: fetching goes on, and whatever uses the lock meanwhile waits for it. With `fetch: "wait"` it answers when all is there. The same requirements give the same lock for a day. With `Accept: text/event-stream` it answers `progress` events with a line each while packages are fetched, then `end` with the answer or `error`.',
    tag,
    access: use,
    idempotent: false,
    body: z.strictObject({
      language: packageLanguage,
      requirements: requirements.min(1),
      lockFile: text()
        .max(5_000_000)
        .optional()
        .describe('A `package-lock.json` or `pylock.toml`, whose versions are taken where they fit'),
      fetch: z.enum(['start', 'wait', 'no']).default('start'),
    }),
    response: z.object({
      lock: packageLock,
      /** The lock as a file of the language. */
      file: z.object({ path: z.string(), text: z.string() }),
    }),
  }),
  list: route({
    method: 'get',
    path: '/api/v1/packages',
    summary: 'Locks of the team with their size on disk and what uses them, newest first',
    tag,
    access: look,
    query: pageQuery.extend({ search: text().max(100).optional().describe('Part of the name of a package') }),
    response: pageOf(packageSet),
  }),
  info: route({
    method: 'get',
    path: '/api/v1/packages/info',
    summary: 'What a registry says of a package: its versions, newest first, with their age and size',
    tag,
    access: use,
    refusals: ['not_found'],
    query: z.object({ language: packageLanguage, name: requirement }),
    response: packageInfo,
  }),
  findWheels: route({
    method: 'post',
    path: '/api/v1/packages/wheels',
    summary: 'Wheels of what modules need in the Python of a browser, by the team’s rules',
    description: 'Pure wheels of the package index. A module that cannot be had is in `missing`, with the reason.',
    tag,
    access: use,
    idempotent: false,
    body: z.strictObject({
      modules: z
        .array(text().regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of a module'))
        .min(1)
        .max(50),
    }),
    response: browserWheels,
  }),
  wheel: route({
    method: 'get',
    path: '/api/v1/packages/wheels/{hash}',
    summary: 'A wheel that was found for a browser, by its SHA-256',
    tag,
    access: use,
    params: z.object({ hash: text().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256') }),
    response: 'text',
  }),
  types: route({
    method: 'get',
    path: '/api/v1/packages/{hash}/types',
    summary: 'Declarations of the types of a lock’s npm packages, for editors',
    tag,
    access: use,
    params: z.object({ hash: lockHash }),
    response: packageTypes,
  }),
  bundle: route({
    method: 'post',
    path: '/api/v1/packages/bundles',
    summary: 'Packages of npm as one script for a preview, by the team’s rules',
    description:
      'Resolved and bundled in a sandbox; React is left to the page. An import that cannot be had is in `missing`, with the reason.',
    tag,
    access: use,
    idempotent: false,
    body: z.strictObject({
      imports: z.array(text().min(1).max(1_000)).min(1).max(20),
    }),
    response: browserBundle,
  }),
  policy: route({
    method: 'get',
    path: '/api/v1/packages/policy',
    summary: 'What members of the team may add',
    tag,
    access: look,
    response: packagePolicy,
  }),
  setPolicy: route({
    method: 'put',
    path: '/api/v1/packages/policy',
    summary: 'Set what members of the team may add',
    description:
      '`any` package of the registries, those `listed` in `allow`, or `none`. What a listed package needs comes with it.',
    tag,
    access: rule,
    body: packagePolicy,
    response: packagePolicy,
  }),
  prune: route({
    method: 'post',
    path: '/api/v1/packages/prune',
    summary: 'Forget locks that nothing names and nobody used for some days',
    tag,
    access: rule,
    idempotent: false,
    body: z.strictObject({ unusedDays: z.number().int().min(0).max(365).default(30) }),
    response: z.object({ removed: z.number().int(), freedBytes: z.number() }),
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/packages/{hash}',
    summary: 'Forget a lock that nothing names',
    tag,
    access: rule,
    params: z.object({ hash: lockHash }),
  }),
}
