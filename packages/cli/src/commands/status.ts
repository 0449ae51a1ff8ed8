import { CoherexError, routes } from '@coherex/contract'
import { Command } from 'commander'
import { connect } from '../connect.ts'
import { jsonOption, print, type Context, type JsonOption } from '../context.ts'
import { exitCode } from '../exit-code.ts'
import { paint, printable } from '../terminal.ts'
import { describeMe } from './login.ts'

export function statusCommand(context: Context): Command {
  return new Command('status')
    .summary('the server, its runtimes, and who you are')
    .description('Shows the server, its version and runtimes, and who you are there.')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      const { url, key, client } = await connect(context.settings)
      const health = await client(routes.system.health, {})
      const me = key ? await client(routes.signIn.me, {}).catch(refusedAsUndefined) : undefined
      const isRefused = key !== undefined && me === undefined

      print(context, options, { url, ...health, me: me ?? null }, () => {
        const { terminal } = context
        const who = me
          ? describeMe(me)
          : isRefused
            ? 'the stored key is refused; run coherex login'
            : 'not signed in; run coherex login'
        const runtimes = health.runtimes.map(({ name, available, reason }) => {
          const state = available ? paint(terminal, 'green', 'available') : paint(terminal, 'yellow', 'unavailable')
          return `  ${name.padEnd(10)} ${state}${reason ? `: ${printable(reason)}` : ''}`
        })
        return [
          `${paint(terminal, 'bold', 'Coherex')} ${health.version} at ${url}: ${health.status}`,
          `You: ${printable(who)}`,
          ...(runtimes.length > 0 ? ['Runtimes:', ...runtimes] : []),
        ].join('\n')
      })
      if (isRefused) context.endWith(exitCode.unauthenticated)
    })
}

function refusedAsUndefined(error: unknown): undefined {
  if (error instanceof CoherexError && error.code === 'unauthenticated') return undefined
  throw error
}
