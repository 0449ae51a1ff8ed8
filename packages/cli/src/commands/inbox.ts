import { CoherexError, inboxKinds, routes, type InboxItem, type InboxKind } from '@coherex/contract'
import { Command, Option } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn, type Connection } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { showControls } from '../guest-text.ts'
import { parseLimit } from '../parse-limit.ts'
import { decideSkill, type DecideOptions } from '../skills/decide-skill.ts'
import { formatTable } from '../terminal.ts'

export function inboxCommand(context: Context): Command {
  const command = new Command('inbox')
    .summary('what waits for you: list, approve, reject, dismiss')
    .description('Approvals, proposals, skills to review, given-up turns and failed triggers.')
  command.addCommand(listCommand(context), { isDefault: true })
  command.addCommand(decideCommand(context, 'approve'))
  command.addCommand(decideCommand(context, 'reject'))
  command.addCommand(dismissCommand(context))
  return withExamples(command, [
    ['coherex inbox', 'what waits'],
    ['coherex inbox approve prp_…', 'what a proposal would change'],
    ['coherex inbox approve prp_… --yes', 'the file is changed'],
  ])
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('Lists what waits for you, newest first.')
    .addOption(new Option('--kind <kind>', 'only these').choices(inboxKinds))
    .option('--limit <n>', 'how many', parseLimit, 50)
    .addOption(jsonOption())
    .action(async ({ kind, limit, ...options }: JsonOption & { kind?: InboxKind; limit: number }) => {
      const { client, url } = await connectSignedIn(context.settings)
      const items = await collectPages(
        (page) => client(routes.inbox.list, { query: { ...page, ...(kind && { kinds: kind }) } }),
        limit,
      )
      print(context, options, { items }, () =>
        items.length === 0
          ? 'Nothing waits for you'
          : showControls(formatTable(['ID', 'WHEN', 'WHAT', 'ABOUT'], items.map(rowOf))),
      )
      if (items.length > 0) context.terminal.note(`In the studio: ${url}/inbox`)
    })
}

const rowOf = ({ id, at, title, summary, count }: InboxItem) => [
  id,
  at.slice(0, 16).replace('T', ' '),
  count > 1 ? `${title} (${count} times)` : title,
  summary.slice(0, 60),
]

function decideCommand(context: Context, decision: 'approve' | 'reject'): Command {
  return new Command(decision)
    .description(
      decision === 'approve'
        ? 'Shows what an item would change; with --yes it is approved. Calls of agents and what agents wrote are approved in the studio, signed in: API keys cannot.'
        : 'Rejects an item. Calls of agents and versions of agents are rejected in the studio, signed in: API keys cannot.',
    )
    .argument('<id>', 'id of the item, as inbox lists it')
    .option('--note <text>', 'why', '')
    .option('--yes', 'it was looked at')
    .addOption(jsonOption())
    .action(async (id: string, options: DecideOptions) => {
      const connection = await connectSignedIn(context.settings)
      const item = await findItem(connection, id)
      const { kind, url, where } = item
      if (kind === 'file-proposal') return decideProposal(context, connection, { item, decision, options })
      if (kind === 'skill-review') {
        const { skill: name = '', version } = where
        return decideSkill(context, connection, { name, version, decision, options })
      }
      if (item.isDismissible) throw new CoherexError('conflict', `There is nothing to ${decision}: dismiss it`)
      throw new CoherexError('forbidden', `A signed-in person decides this in the studio: ${connection.url}${url}`)
    })
}

function dismissCommand(context: Context): Command {
  return new Command('dismiss')
    .description('Takes a given-up turn or a failed trigger out of your inbox.')
    .argument('<id>', 'id of the item, as inbox lists it')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      await client(routes.inbox.dismiss, { params: { id } })
      print(context, options, { id }, () => `${id} is dismissed`)
    })
}

async function findItem({ client }: Connection, id: string): Promise<InboxItem> {
  const items = await collectPages((query) => client(routes.inbox.list, { query }))
  const item = items.find((one) => one.id === id)
  if (!item) throw new CoherexError('not_found', `"${id}" is not in your inbox`)
  return item
}

async function decideProposal(
  context: Context,
  { client }: Connection,
  { item, decision, options }: { item: InboxItem; decision: 'approve' | 'reject'; options: DecideOptions },
): Promise<void> {
  const params = { id: item.where.workspace?.id ?? '', proposalId: item.id }
  if (decision === 'approve' && !options.yes) {
    const proposal = await client(routes.workspaces.getProposal, { params })
    print(context, options, proposal, () => showControls(proposal.diff.trimEnd()))
    return context.terminal.note(`Nothing is decided yet: add --yes to change ${proposal.path}`)
  }
  const body = {
    decision: decision === 'approve' ? ('accept' as const) : decision,
    ...(options.note && { note: options.note }),
  }
  const proposal = await client(routes.workspaces.decideProposal, { params, body })
  print(context, options, proposal, () =>
    decision === 'approve' ? `${proposal.path} is changed` : `The change to ${proposal.path} is rejected`,
  )
}
