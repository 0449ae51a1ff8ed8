import { routes, type AgentProposal } from '@coherex/contract'
import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { showControls } from '../guest-text.ts'

export function agentProposalsCommand(context: Context): Command {
  const command = new Command('proposals')
    .description(
      'Shows versions that agents propose: what each changes and newly allows. They are decided in the studio, signed in: API keys cannot.',
    )
    .argument('<name>', 'name of the agent')
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const { items } = await client(routes.agents.proposals, { params: { name } })
      print(context, options, { items }, () =>
        items.length === 0
          ? `Nothing is proposed for ${name}`
          : showControls(items.map((proposal) => describe(name, proposal)).join('\n\n')),
      )
      if (items.length > 0) {
        context.terminal.note(`A signed-in editor accepts or rejects it in the studio: Agents, ${name}, Proposals`)
      }
    })
  return withExamples(command, [['coherex agent proposals coder', 'what waits for a person']])
}

function describe(name: string, { version, agent, createdBy, newly, diff }: AgentProposal): string {
  const allows = newly.length === 0 ? [`It allows ${name} nothing new.`] : newly.map((sentence) => `- ${sentence}`)
  return [`Version ${version}, by agent ${agent} for ${createdBy.name}`, ...allows, diff.trimEnd()].join('\n')
}
