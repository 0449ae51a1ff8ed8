import {
  CoherexError,
  formatBytes,
  manifestFiles,
  readRequirements,
  routes,
  sameName,
  splitRequirement,
  type LockedPackage,
  type PackageLanguage,
  type PackageSet,
} from '@coherex/contract'
import { Command, InvalidArgumentError, Option } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { addPackages } from '../packages/add-packages.ts'
import { findWays } from '../packages/find-ways.ts'
import { readFolderManifest } from '../packages/folder-manifest.ts'
import { formatTable, printable } from '../terminal.ts'

export function packagesCommand(context: Context): Command {
  const command = new Command('packages')
    .summary('packages of npm and PyPI: add to a folder, explain, list and prune')
    .description(
      'Packages of npm and PyPI. The server resolves them by the rules of the team, locks them and keeps them.',
    )
  command.addCommand(listCommand(context), { isDefault: true })
  command.addCommand(addCommand(context))
  command.addCommand(whyCommand(context))
  command.addCommand(pruneCommand(context))
  return withExamples(command, [
    ['coherex packages add polars', 'to requirements.txt and pylock.toml of this folder'],
    ['coherex packages why numpy', 'which requirement brings it'],
    ['coherex run --with polars report.py', 'for one run only'],
  ])
}

function listCommand(context: Context): Command {
  return new Command('ls')
    .alias('list')
    .description('Lists the sets of packages that the team keeps: size, what uses them, when they were last used.')
    .option('--search <text>', 'part of the name of a package')
    .addOption(jsonOption())
    .action(async (options: JsonOption & { search?: string }) => {
      const { client } = await connectSignedIn(context.settings)
      const { search } = options
      const items = await collectPages((query) =>
        client(routes.packages.list, { query: { ...query, ...(search && { search }) } }),
      )
      print(context, options, { items }, () => (items.length === 0 ? 'No sets' : showSets(items)))
    })
}

function addCommand(context: Context): Command {
  const command = new Command('add')
    .summary('add packages to the manifest and lock of this folder')
    .description(
      'Adds packages to package.json, requirements.txt or pyproject.toml of this folder and writes what all of it resolves to into package-lock.json or pylock.toml.',
    )
    .argument('<requirement...>', 'such as polars, "polars>=1" or es-toolkit@1')
    .addOption(languageOption())
    .addOption(jsonOption())
    .action(async (typed: string[], options: JsonOption & { language?: PackageLanguage }) => {
      const { directory } = context.settings
      const folder = await readFolderManifest(directory, options.language)
      const connection = await connectSignedIn(context.settings)
      const asked = typed.flatMap(readRequirements)
      const { lock, files } = await addPackages(connection, { directory, folder, asked })
      print(context, options, { lock, files }, () => {
        const names = new Set(asked.map((one) => sameName(lock.language, splitRequirement(lock.language, one).name)))
        const added = lock.packages.filter(({ name }) => names.has(sameName(lock.language, name)))
        return [
          `Added ${added.map(({ name, version }) => `${printable(name)} ${printable(version)}`).join(', ')}`,
          `${files.join(' and ')} are written: ${countOf(lock.packages)}`,
        ].join('\n')
      })
    })
  return withExamples(command, [
    ['coherex packages add polars', 'the newest that the rules allow'],
    ['coherex packages add "pandas>=2" httpx', 'several, with a version'],
    ['coherex packages add es-toolkit@1 --language javascript', 'in a folder that has both'],
  ])
}

function whyCommand(context: Context): Command {
  return new Command('why')
    .summary('which requirement of this folder brings a package')
    .description(
      'Says which requirements of package.json, requirements.txt or pyproject.toml bring a package, and over which others.',
    )
    .argument('<name>', 'name of a package in the lock')
    .addOption(languageOption())
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption & { language?: PackageLanguage }) => {
      const folder = await readFolderManifest(context.settings.directory, options.language)
      const { language, manifest, requirements, lockText } = folder
      if (requirements.length === 0) {
        throw new CoherexError('not_found', `${manifest} names no packages; coherex packages add NAME adds one`)
      }
      const { client } = await connectSignedIn(context.settings)
      const { lock } = await client(routes.packages.resolve, {
        body: { language, requirements, fetch: 'no', ...(lockText === undefined ? {} : { lockFile: lockText }) },
      })
      const found = lock.packages.filter((one) => sameName(language, one.name) === sameName(language, name))
      if (found.length === 0) {
        throw new CoherexError('not_found', `${name} is not among the ${lock.packages.length} packages of this folder`)
      }
      const ways = findWays(lock, name)
      print(context, options, { packages: found, ways: ways ?? null }, () =>
        [
          ...found.map((one) => `${printable(one.name)} ${printable(one.version)}${sizeOf(one)}`),
          ...(ways
            ? ways.map(
                ({ requirement, packages }) =>
                  `  ${manifest}: ${printable([requirement, ...packages.slice(1)].join(' → '))}`,
              )
            : [`  needed by one of ${printable(requirements.join(', '))}; the lock does not say which`]),
        ].join('\n'),
      )
    })
}

function pruneCommand(context: Context): Command {
  const command = new Command('prune')
    .description(
      'Shows the sets of packages that nothing uses; with --yes they are removed. Takes a key with the scope admin.',
    )
    .option('--days <days>', 'not used for so many days', parseDays, 30)
    .option('--yes', 'remove them')
    .addOption(jsonOption())
    .action(async ({ days, yes, ...options }: JsonOption & { days: number; yes?: boolean }) => {
      const { client } = await connectSignedIn(context.settings)
      if (yes) {
        const pruned = await client(routes.packages.prune, { body: { unusedDays: days } })
        return print(context, options, pruned, () =>
          pruned.removed === 0
            ? 'No set was old enough'
            : `Removed ${pruned.removed === 1 ? '1 set' : `${pruned.removed} sets`}, ${formatBytes(pruned.freedBytes)}`,
        )
      }
      const all = await collectPages((query) => client(routes.packages.list, { query }))
      const before = Date.now() - days * 86_400_000
      const items = all.filter(({ usedBy, lastUsedAt }) => usedBy.length === 0 && Date.parse(lastUsedAt) <= before)
      print(context, options, { items }, () => (items.length === 0 ? 'No set is old enough' : showSets(items)))
      if (items.length > 0 && !options.json) context.terminal.note('Nothing is removed yet: add --yes to remove them')
    })
  return withExamples(command, [
    ['coherex packages prune', 'what would go'],
    ['coherex packages prune --days 0 --yes', 'everything that nothing uses'],
  ])
}

const languageOption = () =>
  new Option('-l, --language <name>', 'when the folder does not tell').choices(Object.keys(manifestFiles))

function showSets(items: PackageSet[]): string {
  return formatTable(['HASH', 'LANGUAGE', 'PACKAGES', 'LOCKED', 'SIZE', 'USED BY', 'LAST USED'], items.map(rowOf))
}

function rowOf({ hash, language, requirements, packages, diskBytes, usedBy, lastUsedAt }: PackageSet): string[] {
  return [
    hash.slice(0, 12),
    language,
    requirements.join(' '),
    String(packages.length),
    diskBytes === null ? '-' : formatBytes(diskBytes),
    usedBy.map(({ kind, name }) => `${kind} ${name}`).join(', ') || '-',
    lastUsedAt,
  ]
}

function countOf(packages: readonly LockedPackage[]): string {
  const bytes = packages.reduce((sum, { size }) => sum + (size ?? 0), 0)
  return `${packages.length === 1 ? '1 package' : `${packages.length} packages`}${bytes > 0 ? `, ${formatBytes(bytes)}` : ''}`
}

const sizeOf = ({ size }: LockedPackage) => (size === null ? '' : `, ${formatBytes(size)}`)

function parseDays(text: string): number {
  const days = Number(text)
  if (/^\d{1,3}$/.test(text) && days <= 365) return days
  throw new InvalidArgumentError('Use days from 0 to 365.')
}
