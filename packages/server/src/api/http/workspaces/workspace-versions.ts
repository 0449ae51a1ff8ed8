import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam, type Caller } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'
import { authorOf } from '../requests/workspace-author.ts'
import { toGlobs } from './workspace-files.ts'

const { workspaces: route } = routes

export function mountWorkspaceVersions(app: Hono<Env>, api: Api): void {
  const { workspaces } = api
  const nameOf = (caller: Caller, params: { id: string }) => ({ teamId: inTeam(caller).teamId, workspaceId: params.id })

  mount(app, api, route.listVersions, async ({ params, query, caller }) =>
    workspaces.versions.list(nameOf(caller, params), query),
  )

  mount(app, api, route.makeVersion, async ({ params, body, caller }) =>
    workspaces.versions.make(nameOf(caller, params), body.message),
  )

  mount(app, api, route.getVersion, async ({ params, caller }) =>
    workspaces.versions.get(nameOf(caller, params), params.number),
  )

  mount(app, api, route.diff, async ({ params, query, caller }) => {
    const { from, to, path, globs } = query
    return workspaces.versions.diff(nameOf(caller, params), { from, to, path, globs: toGlobs(globs) })
  })

  mount(app, api, route.restore, async ({ params, body, caller, context }) =>
    workspaces.versions.restore(nameOf(caller, params), {
      ...body,
      number: params.number,
      author: authorOf(caller, context),
    }),
  )

  mount(app, api, route.undoVersions, async ({ params, body, caller, context }) =>
    workspaces.versions.undo(nameOf(caller, params), {
      ...{ numbers: body.versions, author: authorOf(caller, context), message: body.message },
    }),
  )

  mount(app, api, route.listTags, async ({ params, query, caller }) =>
    workspaces.versions.tags(nameOf(caller, params), query),
  )

  mount(app, api, route.putTag, async ({ params, body, caller, context }) =>
    workspaces.versions.tag(nameOf(caller, params), {
      name: params.name,
      version: body.version,
      by: authorOf(caller, context),
    }),
  )

  mount(app, api, route.removeTag, async ({ params, caller }) =>
    workspaces.versions.untag(nameOf(caller, params), params.name),
  )

  mount(app, api, route.listProposals, async ({ params, query, caller }) =>
    workspaces.proposals.list(nameOf(caller, params), query),
  )

  mount(app, api, route.getProposal, async ({ params, caller }) =>
    workspaces.proposals.get(nameOf(caller, params), params.proposalId),
  )

  mount(app, api, route.decideProposal, async ({ params, body, caller, context }) =>
    workspaces.proposals.decide(nameOf(caller, params), {
      id: params.proposalId,
      by: authorOf(caller, context),
      accept: body.decision === 'accept',
      only: body.hunks && { hunks: body.hunks, digest: body.digest ?? '' },
      keepsRest: body.rest === 'keep',
      note: body.note,
    }),
  )
}
