import { routes, type Trigger } from '@coherex/contract'
import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { formatTable } from '../terminal.ts'

export function agentTriggersCommand(context: Context): Command {
  const command = new Command('triggers')
    .description(
      'Shows what starts an agent by itself: schedules with their next firing, addresses of webhooks, events.',
    )
    .argument('<name>', 'name of the agent')
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const { items } = await client(routes.triggers.list, { params: { name } })
      print(context, options, { items }, () =>
        items.length === 0
          ? `${name} has no triggers: nothing starts it by itself`
          : formatTable(
              ['NAME', 'KIND', 'STATUS', 'WHEN', 'LAST'],
              items.map((trigger) => [
                trigger.name,
                trigger.kind,
                trigger.reason ? `${trigger.status}: ${trigger.reason}` : trigger.status,
                describeWhen(trigger),
                trigger.last ? `${trigger.last.receivedAt} ${trigger.last.status}` : 'never',
              ]),
            ),
      )
    })
  return withExamples(command, [['coherex agent triggers nightly-report', 'when it runs next']])
}

function describeWhen({ schedule, webhook, event }: Trigger): string {
  if (schedule) return `${schedule.cron} ${schedule.timezone}${schedule.next[0] ? `, next ${schedule.next[0]}` : ''}`
  if (webhook) return `POST ${webhook.url} (${webhook.signature})`
  return event ? [event.name, ...event.paths].join(' ') : ''
}
