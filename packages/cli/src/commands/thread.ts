import { routes, type Thread, type ThreadReach, type ThreadSummary } from '@coherex/contract'
import { Command, InvalidArgumentError } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { parseLimit } from '../parse-limit.ts'
import { formatTable } from '../terminal.ts'
import { showCommand } from './thread-show.ts'

interface ListOptions extends JsonOption {
  mine?: boolean
  team?: boolean
  private?: boolean
  archived?: boolean
  startedBy?: string
  agent?: string
  search?: string
  limit: number
}

export function threadCommand(context: Context): Command {
  const command = new Command('thread')
    .summary('conversations: list, show, share, make private, archive')
    .description('Conversations with agents: list and read yours and the team’s, and decide who sees yours.')
  command.addCommand(listCommand(context), { isDefault: true })
  command.addCommand(showCommand(context, parseId))
  command.addCommand(reachCommand(context, 'share', 'team', 'Shares a conversation of yours with the team.'))
  command.addCommand(
    reachCommand(context, 'private', 'private', 'Makes a conversation of yours private: only you see it.'),
  )
  command.addCommand(archiveCommand(context, 'archive', true, 'Archives a conversation: lists leave it out.'))
  command.addCommand(archiveCommand(context, 'unarchive', false, 'Brings an archived conversation back into lists.'))
  return withExamples(command, [
    ['coherex thread ls --mine', 'conversations you began'],
    ['coherex thread share thr_…', 'lets the team see one of yours'],
  ])
}

function listCommand(context: Context): Command {
  return new Command('list')
    .alias('ls')
    .description('Lists conversations, pinned ones first, then the newest.')
    .option('--mine', 'only those you began')
    .option('--team', 'only those the team sees')
    .option('--private', 'only private ones; for admins also that others’ exist, without their titles')
    .option('--archived', 'only archived ones')
    .option('--started-by <kinds>', 'only those begun by person, key, trigger or agent; several with commas')
    .option('--agent <name>', 'only those with this agent')
    .option('--search <text>', 'words in titles and messages')
    .option('--limit <n>', 'how many', parseLimit, 20)
    .addOption(jsonOption())
    .action(async (options: ListOptions) => {
      if (options.team && options.private) throw new InvalidArgumentError('Use --team or --private, not both.')
      const { client } = await connectSignedIn(context.settings)
      const { agent, search, startedBy } = options
      const reach: ThreadReach | undefined = options.team ? 'team' : options.private ? 'private' : undefined
      const query = {
        ...(reach && { reach }),
        ...(options.mine && { mine: 'true' as const }),
        ...(options.archived && { archived: 'true' as const }),
        ...(agent !== undefined && { agent }),
        ...(search !== undefined && { search }),
        ...(startedBy !== undefined && { startedBy }),
      }
      const items = await collectPages(
        (page) => client(routes.threads.list, { query: { ...page, ...query } }),
        options.limit,
      )
      print(context, options, { items }, () =>
        items.length === 0
          ? 'No conversations'
          : formatTable(['ID', 'REACH', 'AUTHOR', 'AGENT', 'STARTED BY', 'UPDATED', 'TITLE'], items.map(rowOf)),
      )
    })
}

function reachCommand(context: Context, name: string, reach: ThreadReach, description: string): Command {
  return changeCommand(context, name, description, { reach }, ({ id }) =>
    reach === 'team' ? `Everyone in the team sees ${id} now` : `Only you see ${id} now`,
  )
}

function archiveCommand(context: Context, name: string, isArchived: boolean, description: string): Command {
  return changeCommand(context, name, description, { isArchived }, ({ id }) =>
    isArchived ? `Archived ${id}` : `${id} is in lists again`,
  )
}

function changeCommand(
  context: Context,
  name: string,
  description: string,
  body: { reach?: ThreadReach; isArchived?: boolean },
  done: (thread: Thread) => string,
): Command {
  return new Command(name)
    .description(description)
    .argument('<id>', 'id of the conversation, thr_…', parseId)
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const thread = await client(routes.threads.change, { params: { id }, body })
      print(context, options, thread, () => done(thread))
    })
}

function rowOf({ id, reach, createdBy, agent, startedBy, updatedAt, title, isHidden }: ThreadSummary): string[] {
  const shown = isHidden ? '(private)' : title.slice(0, 60)
  return [id, reach, createdBy.name, agent, startedBy, updatedAt, shown]
}

function parseId(text: string): string {
  if (routes.threads.get.params.safeParse({ id: text }).success) return text
  throw new InvalidArgumentError('It is not the id of a conversation; coherex thread list shows them.')
}
