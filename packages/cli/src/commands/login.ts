import { CoherexError, routes, type Me } from '@coherex/contract'
import { Command } from 'commander'
import { connectTo, isUnprotected, localUrl, parseUrl } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { forgetLogin, writeLogin } from '../login-file.ts'

export function loginCommand(context: Context): Command {
  const command = new Command('login')
    .summary('keep the address of a server and an API key')
    .description(
      'Stores the address of a server and an API key after checking them. Create a key in the studio under Settings, API keys.\nThe key is asked for, or read from a pipe, so that it is in no history and no process list.',
    )
    .argument('[url]', 'address of the server', localUrl(context.settings))
    .option('--key <key>', 'the key itself; others on this machine can see it while the command runs')
    .addOption(jsonOption())
    .action(async (address: string, options: JsonOption & { key?: string }) => {
      const url = parseUrl(address)
      if (isUnprotected(url)) {
        context.terminal.note(
          `Careful: ${url} is not encrypted, so the key can be read on the way. Use https where you can.`,
        )
      }
      const key = options.key ?? (await context.terminal.askSecret(`API key for ${url}: `))
      if (!key) throw new CoherexError('invalid_input', 'No key was given')

      const me = await connectTo(url, key).client(routes.signIn.me, {})
      await writeLogin(context.settings.loginFile, { url, key })
      print(context, options, { url, me }, () => `Signed in to ${url} as ${describeMe(me)}`)
    })
  return withExamples(command, [
    ['coherex login', 'the server on this machine'],
    ['coherex login https://coherex.example.com', 'another server'],
    ['coherex login < key.txt', 'with the key from a file'],
  ])
}

export function logoutCommand(context: Context): Command {
  return new Command('logout')
    .summary('forget the address and the key')
    .description(
      'Forgets the address and the key on this machine. The key itself stays valid: see coherex keys revoke.',
    )
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      await forgetLogin(context.settings.loginFile)
      print(context, options, { signedIn: false }, () => 'Signed out')
    })
}

export function describeMe({ person, team, role }: Me): string {
  return `${person.name} <${person.email}>${team ? `, ${role} of ${team.name}` : ''}`
}
