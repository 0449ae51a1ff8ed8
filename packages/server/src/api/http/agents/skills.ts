import { Readable } from 'node:stream'
import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import {
  approveWorkspaceSkill,
  archiveSkill,
  decideSkill,
  diffSkillVersions,
  diffWorkspaceSkill,
  fromGivenFiles,
  getSkill,
  getSkillVersion,
  listSkills,
  listSkillVersions,
  listWorkspaceSkills,
  parseSkill,
  readSkillContent,
  readSkillZip,
  removeSkill,
  requireSkill,
  restoreSkill,
  storeSkill,
  withdrawWorkspaceSkill,
} from '../../../registry/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'
import { zipFolder } from '../runs/zip-folder.ts'

const { skills: route } = routes

export function mountSkills(app: Hono<Env>, api: Api): void {
  const { database, events, workspaces } = api
  const changed = async (teamId: string, name: string) => {
    await events.publish({ teamId, type: 'skill', id: name })
    return getSkill(database, teamId, name)
  }

  mount(app, api, route.list, async ({ query, caller }) => listSkills(database, inTeam(caller).teamId, query))

  mount(app, api, route.validate, async ({ body }) => {
    const { frontMatter, problems, warnings } = parseSkill(fromGivenFiles(body.files), body.folder)
    return { valid: frontMatter !== undefined, problems, warnings, ...(frontMatter && { frontMatter }) }
  })

  mount(app, api, route.importZip, async ({ query, caller, context }) => {
    const team = inTeam(caller)
    // not cancelled when it is refused: that would cut the connection before the client could read why
    const body = context.req.raw.body?.values({ preventCancel: true }) ?? Readable.from([])
    const { folder, content } = await readSkillZip(body)
    // what is at the root of an archive is called what it calls itself
    const name = folder ?? requireSkill(content).frontMatter.name
    await storeSkill(database, team, { name, content, note: query.note })
    return changed(team.teamId, name)
  })

  mount(app, api, route.get, async ({ params, caller }) => getSkill(database, inTeam(caller).teamId, params.name))

  mount(app, api, route.put, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    const { files, ...rest } = body
    await storeSkill(database, team, { name: params.name, content: fromGivenFiles(files), ...rest })
    return changed(team.teamId, params.name)
  })

  mount(app, api, route.change, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    await archiveSkill(database, team, params.name, body.archived)
    return changed(team.teamId, params.name)
  })

  mount(app, api, route.remove, async ({ params, caller }) => {
    const team = inTeam(caller)
    await removeSkill(database, team, params.name)
    await events.publish({ teamId: team.teamId, type: 'skill', id: params.name })
  })

  mount(app, api, route.versions, async ({ params, query, caller }) =>
    listSkillVersions(database, inTeam(caller).teamId, params.name, query),
  )

  mount(app, api, route.version, async ({ params, caller }) => getSkillVersion(database, inTeam(caller).teamId, params))

  mount(app, api, route.decide, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    await decideSkill(database, team, params, body)
    return changed(team.teamId, params.name)
  })

  mount(app, api, route.restore, async ({ params, caller }) => {
    const team = inTeam(caller)
    await restoreSkill(database, team, params)
    return changed(team.teamId, params.name)
  })

  mount(app, api, route.diff, async ({ params, query, caller }) => ({
    diff: await diffSkillVersions(database, inTeam(caller).teamId, { ...params, ...query }),
  }))

  mount(app, api, route.zip, async ({ params: { name }, query, caller }) => {
    const { teamId } = inTeam(caller)
    const version = query.version ?? (await getSkill(database, teamId, name)).current.version
    const content = await readSkillContent(database, teamId, { name, version })
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
    items: await listWorkspaceSkills(api, { teamId: inTeam(caller).teamId, workspaceId: params.id }),
  }))

  mount(app, api, route.diffInWorkspace, async ({ params, caller }) =>
    diffWorkspaceSkill(api, { teamId: inTeam(caller).teamId, workspaceId: params.id }, params.name),
  )

  mount(app, api, route.decideInWorkspace, async ({ params, body, caller }) => {
    const team = inTeam(caller)
    const at = { workspaceId: params.id, name: params.name }
    await workspaces.get(team.teamId, params.id)
    if (body.decision === 'approve') await approveWorkspaceSkill(api, team, { ...at, digest: body.digest })
    else await withdrawWorkspaceSkill(api, team, at)
    await events.publish({ teamId: team.teamId, type: 'skill', id: params.name })
    const items = await listWorkspaceSkills(api, { teamId: team.teamId, workspaceId: params.id })
    return items.find(({ name }) => name === params.name) ?? gone(params.name)
  })
}

/** An approval can be taken back when the folder is gone already. */
function gone(name: string) {
  const nothing = { problems: [], warnings: [], approvedAt: null, approvedBy: null, approvedVersion: null }
  return { ...nothing, name, description: null, state: 'invalid' as const, isShadowed: false, digest: '' }
}
