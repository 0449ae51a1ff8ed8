import { CoherexError, routes, scope, scopes, type ApiKey, type Scope } from '@coherex/contract'
import { Command, InvalidArgumentError } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { formatTable } from '../terminal.ts'

export function keysCommand(context: Context): Command {
  const command = new Command('keys')
    .summary('API keys: list, create, revoke')
    .description('API keys: list, create and revoke them. Needs a key with the scope admin.')
  command.addCommand(listCommand(context), { isDefault: true })
  command.addCommand(createCommand(context))
  command.addCommand(revokeCommand(context))
  return command
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('Lists your keys; an admin sees those of the team.')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const items = await collectPages((query) => client(routes.keys.list, { query }))
      print(context, options, { items }, () =>
        items.length === 0
          ? 'No keys'
          : formatTable(['ID', 'NAME', 'START', 'SCOPES', 'BY', 'LAST USED', 'EXPIRES'], items.map(rowOf)),
      )
    })
}

function createCommand(context: Context): Command {
  const command = new Command('create')
    .description('Creates a key that acts for you in the current team. It is shown once, alone on standard output.')
    .argument('<name>', 'what the key is for')
    .option('--scopes <scopes>', `what it may do: ${scopes.join(', ')}`, parseScopes, ['read'] satisfies Scope[])
    .option('--expires <time>', 'days from now, such as 30d, or a date such as 2027-01-31', parseExpiry)
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption & { scopes: Scope[]; expires?: string }) => {
      const { client } = await connectSignedIn(context.settings)
      const body = { name, scopes: options.scopes, ...(options.expires ? { expiresAt: options.expires } : {}) }
      const made = await client(routes.keys.create, { body })
      print(context, options, made, () => made.key)
      if (!options.json)
        context.terminal.note(`Created ${made.id} with ${made.scopes.join(', ')}. Keep the key: it is not shown again.`)
    })
  return withExamples(command, [
    ['coherex keys create ci --scopes read,run --expires 90d', 'for a pipeline'],
    ['coherex keys create backup > key.txt', 'into a file'],
  ])
}

function revokeCommand(context: Context): Command {
  return new Command('revoke')
    .description('Revokes a key at once.')
    .argument('<id>', 'id of the key, key_…')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption) => {
      if (!routes.keys.revoke.params.safeParse({ id }).success) {
        throw new CoherexError('invalid_input', `"${id}" is not the id of a key; coherex keys list shows them`)
      }
      const { client } = await connectSignedIn(context.settings)
      await client(routes.keys.revoke, { params: { id } })
      print(context, options, { revoked: id }, () => `Revoked ${id}`)
    })
}

function rowOf({ id, name, start, scopes: held, createdBy, lastUsedAt, expiresAt }: ApiKey): string[] {
  return [id, name, `${start}…`, held.join(','), createdBy.name, lastUsedAt ?? 'never', expiresAt ?? 'never']
}

function parseScopes(text: string): Scope[] {
  return text.split(',').map((one) => {
    const parsed = scope.safeParse(one.trim())
    if (!parsed.success) throw new InvalidArgumentError(`Scopes are ${scopes.join(', ')}.`)
    return parsed.data
  })
}

function parseExpiry(text: string): string {
  const days = /^(\d{1,4})d$/.exec(text)?.[1]
  const at = days ? new Date(Date.now() + Number(days) * 86_400_000) : new Date(text)
  if (Number.isNaN(at.getTime()) || at.getTime() <= Date.now()) {
    throw new InvalidArgumentError('Use days from now, such as 30d, or a date in the future.')
  }
  return at.toISOString()
}
