import { resolve } from 'node:path'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { jsonOption, withExamples, type Context, type JsonOption } from '../context.ts'

const where = 'Runs on the machine of the server, in its folder or with COHEREX_HOME naming it.'

export function backupCommand(context: Context): Command {
  const command = new Command('backup')
    .summary('copy the store to a file, or fill an empty one')
    .description(`A whole copy of the store: database and files. ${where}`)
  command.addCommand(
    withExamples(
      operator('create', 'Writes a consistent copy to a file, while the server runs or not.')
        .argument('<file>', 'file to write')
        .option('--with-key', 'put the secret key in as well; whoever has the file can then read every secret')
        .action((file: string, options: JsonOption & { withKey?: boolean }) =>
          operate(context, options, [
            'backup',
            'create',
            absolute(context, file),
            ...(options.withKey ? ['--with-key'] : []),
          ]),
        ),
      [['coherex backup create /srv/backup/coherex.backup', 'everything but the secret key, into one file']],
    ),
  )
  command.addCommand(
    operator(
      'restore',
      'Fills an empty store from a copy. The server must be stopped; a store with data in it is refused.',
    )
      .argument('<file>', 'file to read')
      .action((file: string, options: JsonOption) =>
        operate(context, options, ['backup', 'restore', absolute(context, file)]),
      ),
  )
  return command
}

export function userCommand(context: Context): Command {
  const command = new Command('user')
    .summary('let in a person who is locked out')
    .description(`People who are locked out. ${where}`)
  command.addCommand(
    operator('reset', 'Prints a link with which this person chooses a new password.')
      .argument('<email>', 'e-mail address of the person', parseEmail)
      .action((address: string, options: JsonOption) => operate(context, options, ['user', 'reset', address])),
  )
  return command
}

export function secretsCommand(context: Context): Command {
  const command = new Command('secrets')
    .summary('replace the key that encrypts the secrets')
    .description(`The keys that encrypt the secrets of all teams. ${where}`)
  command.addCommand(
    operator('rotate', 'Creates a new key and encrypts every secret with it, while the server runs or not.').action(
      (options: JsonOption) => operate(context, options, ['secrets', 'rotate']),
    ),
  )
  return command
}

export function blobsCommand(context: Context): Command {
  const command = new Command('blobs')
    .summary('move stored files between the disk and an object store')
    .description(`Stored files: on the disk, or in the bucket that COHEREX_S3_* names. ${where}`)
  command.addCommand(
    withExamples(
      operator('move', 'Copies every file to the other place, while the server runs or not. What is there is left.')
        .addArgument(new Argument('<place>', 'where to').choices(['s3', 'disk']))
        .option('--remove', 'delete the old copies; only when the settings name the new place')
        .action((place: string, options: JsonOption & { remove?: boolean }) =>
          operate(context, options, ['blobs', 'move', place, ...(options.remove ? ['--remove'] : [])]),
        ),
      [
        ['coherex blobs move s3', 'before the settings change, and once more after the start with them'],
        ['coherex blobs move s3 --remove', 'when all is well'],
      ],
    ),
  )
  return command
}

function operator(name: string, description: string): Command {
  return new Command(name).description(description).addOption(jsonOption())
}

async function operate(context: Context, options: JsonOption, args: string[]): Promise<void> {
  context.endWith(await context.operate(options.json ? [...args, '--json'] : args))
}

// the server's program runs in the project folder, a person means the folder they are in
const absolute = (context: Context, file: string): string => resolve(context.settings.directory, file)

// the server decides who exists; before its setup the first owner has an address that no mail would reach
function parseEmail(text: string): string {
  if (!/^\S+@\S+$/.test(text)) throw new InvalidArgumentError('It is not an e-mail address.')
  return text.toLowerCase()
}
