import { routes } from '@coherex/contract'
import { Command } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { parseLimit } from '../parse-limit.ts'
import { formatTable } from '../terminal.ts'

export function membersCommand(context: Context): Command {
  return new Command('members')
    .summary('who is in the team')
    .description('Lists the members of the current team.')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const items = await collectPages((query) => client(routes.teams.listMembers, { query }))
      print(context, options, { items }, () =>
        formatTable(
          ['NAME', 'E-MAIL', 'ROLE', 'JOINED'],
          items.map(({ person, role, joinedAt }) => [person.name, person.email, role, joinedAt]),
        ),
      )
    })
}

export function auditCommand(context: Context): Command {
  const command = new Command('audit')
    .summary('what was done in the team')
    .description('Shows what was done in the team, newest first. Needs a key with the scope admin.')
    .option('--search <text>', 'part of an actor, action or target')
    .option('--action <action>', 'an action such as member.remove, or its noun')
    .option('--limit <n>', 'how many', parseLimit, 50)
    .addOption(jsonOption())
    .action(async (options: JsonOption & { search?: string; action?: string; limit: number }) => {
      const { client } = await connectSignedIn(context.settings)
      const { search, action } = options
      const filters = { ...(search ? { search } : {}), ...(action ? { action } : {}) }
      const items = await collectPages(
        (page) => client(routes.audit.list, { query: { ...page, ...filters } }),
        options.limit,
      )
      print(context, options, { items }, () =>
        formatTable(
          ['WHEN', 'WHO', 'WHAT', 'ON', 'FROM'],
          items.map(({ at, actor, action: what, target, ip }) => [
            at,
            actor.name,
            what,
            target?.name ?? target?.id ?? '',
            ip ?? '',
          ]),
        ),
      )
    })
  return withExamples(command, [
    ['coherex audit --action key', 'what happened to keys'],
    ['coherex audit --limit 1000 --json', 'for another program'],
  ])
}
