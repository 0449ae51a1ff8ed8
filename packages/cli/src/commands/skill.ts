import { basename, resolve } from 'node:path'
import { CoherexError, routes, skillLimits, type Skill, type SkillProblem } from '@coherex/contract'
import { Argument, Command } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn, type Connection } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { showControls } from '../guest-text.ts'
import { openFolder } from '../runs/folder.ts'
import { decideSkill, type DecideOptions } from '../skills/decide-skill.ts'
import { readGivenFolder } from '../skills/read-given-folder.ts'
import { formatTable } from '../terminal.ts'
import { parseVersion } from '../workspaces/parse-version.ts'

export function skillCommand(context: Context): Command {
  const command = new Command('skill')
    .summary('skills: list, push, pull, approve, reject')
    .description('Skills of the team: folders with instructions and scripts that agents load when they need them.')
  command.addCommand(listCommand(context), { isDefault: true })
  command.addCommand(pushCommand(context))
  command.addCommand(pullCommand(context))
  command.addCommand(decideCommand(context, 'approve'))
  command.addCommand(decideCommand(context, 'reject'))
  return command
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('Lists the skills of the team, and how many proposals wait for a person.')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const items = await collectPages((query) => client(routes.skills.list, { query }))
      print(context, options, { items }, () =>
        formatTable(
          ['NAME', 'STATE', 'VERSION', 'PROPOSALS', 'DESCRIPTION'],
          items.map(({ name, state, activeVersion, proposals, description }) => [
            name,
            state,
            activeVersion === null ? '–' : String(activeVersion),
            String(proposals),
            description,
          ]),
        ),
      )
    })
}

function pushCommand(context: Context): Command {
  const command = new Command('push')
    .description('Stores a folder with a SKILL.md as a skill, or as the next version of one.')
    .argument('<folder>', 'it has the name of the skill')
    .option('--note <text>', 'what changed', '')
    .addOption(jsonOption())
    .action(async (named: string, options: JsonOption & { note: string }) => {
      const connection = await connectSignedIn(context.settings)
      const folder = resolve(context.settings.directory, named)
      const { skill, warnings } = await push(connection, { folder, shown: named, note: options.note })
      for (const warning of warnings) context.terminal.note(showControls(describe(named, warning)))
      print(context, options, skill, () =>
        skill.activeVersion === skill.newestVersion
          ? `${skill.name} is stored as version ${skill.newestVersion}, active`
          : `${skill.name} is proposed as version ${skill.newestVersion}: a person approves it`,
      )
    })
  return withExamples(command, [['coherex skill push skills/pdf-forms --note "fills dates too"', 'a new version']])
}

function pullCommand(context: Context): Command {
  return new Command('pull')
    .description('Writes the files of a skill into a new folder.')
    .argument('<name>', 'name of the skill')
    .addArgument(versionArgument('the active one by default'))
    .option('-o, --output <folder>', 'a folder of that name here by default')
    .option('--force', 'into a folder that has files')
    .addOption(jsonOption())
    .action(
      async (name: string, version: number | undefined, options: JsonOption & { output?: string; force?: boolean }) => {
        const { client } = await connectSignedIn(context.settings)
        const found =
          version === undefined
            ? (await client(routes.skills.get, { params: { name } })).current
            : await client(routes.skills.version, { params: { name, version } })
        const folder = await openFolder(context.settings.directory, options.output ?? name, { force: options.force })
        for (const [path, file] of Object.entries(found.files)) {
          await folder.save(path, typeof file === 'string' ? file : Buffer.from(file.base64, 'base64'))
        }
        const count = Object.keys(found.files).length
        print(context, options, found, () => `Wrote ${count} files of version ${found.version} to ${folder.path}`)
      },
    )
}

function decideCommand(context: Context, decision: 'approve' | 'reject'): Command {
  const command = new Command(decision)
    .description(
      decision === 'approve'
        ? 'Shows what a proposed version changes; with --yes agents get it. Takes a key with the scope admin; what an agent wrote is approved in the studio.'
        : 'Rejects a proposed version. Takes a key with the scope admin.',
    )
    .argument('<name>', 'name of the skill')
    .addArgument(versionArgument('the newest proposal by default'))
    .option('--note <text>', 'why', '')
    .option('--yes', 'it was looked at')
    .addOption(jsonOption())
    .action(async (name: string, version: number | undefined, options: DecideOptions) => {
      const connection = await connectSignedIn(context.settings)
      await decideSkill(context, connection, { name, version, decision, options })
    })
  if (decision === 'reject') return command
  return withExamples(command, [
    ['coherex skill approve tidy-up', 'what it would change'],
    ['coherex skill approve tidy-up 3 --yes', 'agents get it'],
  ])
}

const versionArgument = (what: string) => new Argument('[version]', what).argParser(parseVersion)

async function push(
  { client }: Connection,
  { folder, shown, note }: { folder: string; shown: string; note: string },
): Promise<{ skill: Skill; warnings: SkillProblem[] }> {
  const files = await readGivenFolder(folder, skillLimits)
  const name = basename(folder)
  const { valid, problems, warnings } = await client(routes.skills.validate, { body: { folder: name, files } })
  if (!valid) throw new CoherexError('invalid_input', problems.map((problem) => describe(shown, problem)).join('\n'))
  return { skill: await client(routes.skills.put, { params: { name }, body: { files, note } }), warnings }
}

/** As compilers write them, so that editors jump to the place. */
function describe(folder: string, { file, line, column, path, message, hint }: SkillProblem): string {
  const place = file ? [`${folder}/${file}`, line, column].filter((part) => part !== undefined).join(':') : folder
  return `${place}: ${[path, message].filter(Boolean).join(' ')}${hint ? ` (${hint})` : ''}`
}
