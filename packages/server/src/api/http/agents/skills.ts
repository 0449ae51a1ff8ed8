import { Readable } from 'node:stream'
import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import { fromGivenFiles, parseSkill, readSkillZip, requireSkill } from '../../../registry/index.ts'
import type { Api } from '../../api.ts'
import { zipFolder } from '../answers/zip-folder.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { skills: route } = routes

export function mountSkills(app: Hono<Env>, api: Api): void {
  const { skills } = api.registry

  mount(app, api, route.list, async ({ query, caller }) => skills.list(inTeam(caller).teamId, query))

  mount(app, api, route.validate, async ({ body }) => {
    const { frontMatter, problems, warnings } = parseSkill(fromGivenFiles(body.files), body.folder)
    return { valid: frontMatter !== undefined, problems, warnings, ...(frontMatter && { frontMatter }) }
  })

  mount(app, api, route.importZip, async ({ query, caller, context }) => {
    // not cancelled when it is refused: that would cut the connection before the client could read why
    const body = context.req.raw.body?.values({ preventCancel: true }) ?? Readable.from([])
    const { folder, content } = await readSkillZip(body)
    // what is at the root of an archive is called what it calls itself
    const name = folder ?? requireSkill(content).frontMatter.name
    return skills.put(inTeam(caller), { name, files: content, note: query.note })
  })

  mount(app, api, route.get, async ({ params, caller }) => skills.get(inTeam(caller).teamId, params.name))

  mount(app, api, route.put, async ({ params, body, caller }) =>
    skills.put(inTeam(caller), { ...body, name: params.name, files: fromGivenFiles(body.files) }),
  )

  mount(app, api, route.change, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    if ('owner' in body) await skills.setOwner(team, params.name, body.owner)
    else if ('reach' in body) await skills.setReach(team, params.name, body.reach)
    else await skills.archive(team, params.name, body.archived)
    return skills.get(team.teamId, params.name)
  })

  mount(app, api, route.remove, async ({ params, caller }) => skills.remove(inTeam(caller), params.name))

  mount(app, api, route.versions, async ({ params, query, caller }) =>
    skills.versions(inTeam(caller).teamId, params.name, query),
  )

  mount(app, api, route.version, async ({ params, caller }) => skills.version(inTeam(caller).teamId, params))

  mount(app, api, route.decide, async ({ params, body, caller }) => skills.decide(inTeam(caller), params, body))

  mount(app, api, route.restore, async ({ params, caller }) => skills.restore(inTeam(caller), params))

  mount(app, api, route.diff, async ({ params, query, caller }) => ({
    diff: await skills.diff(inTeam(caller).teamId, params.name, query),
  }))

  mount(app, api, route.zip, async ({ params: { name }, query, caller }) => {
    const { teamId } = inTeam(caller)
    const version = query.version ?? (await skills.get(teamId, name)).current.version
    const content = await skills.content(teamId, { name, version })
    const modifiedAt = new Date().toISOString()
    const entries = [...content].map(([path, { length }]) => ({
      path: `${name}/${path}`,
      type: 'file' as const,
      size: length,
      modifiedAt,
    }))
    const chunks = zipFolder(entries, '', async (path) =>
      Readable.from([content.get(path.slice(name.length + 1)) ?? Buffer.alloc(0)]),
    )
    return new Response(Readable.toWeb(Readable.from(chunks)) as ReadableStream, {
      headers: { 'content-type': 'application/zip', 'content-disposition': `attachment; filename="${name}.zip"` },
    })
  })

  mount(app, api, route.inWorkspace, async ({ params, caller }) => ({
    items: await skills.listInWorkspace(inTeam(caller).teamId, params.id),
  }))

  mount(app, api, route.diffInWorkspace, async ({ params, caller }) =>
    skills.diffInWorkspace(inTeam(caller).teamId, params.id, params.name),
  )

  mount(app, api, route.decideInWorkspace, async ({ params: { id, name }, body, caller }) => {
    const decided = await skills.decideInWorkspace(inTeam(caller), { workspaceId: id, name }, body)
    return decided ?? gone(name)
  })
}

/** An approval can be taken back when the folder is gone already. */
function gone(name: string) {
  const nothing = { problems: [], warnings: [], approvedAt: null, approvedBy: null, approvedVersion: null }
  return { ...nothing, name, description: null, state: 'invalid' as const, isShadowed: false, digest: '' }
}
