import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  CoherexError,
  formatDuration,
  routes,
  toolExportFormat,
  type ToolExportFormat,
  type ToolReview,
} from '@coherex/contract'
import { Argument, Command, Option } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { showControls } from '../guest-text.ts'
import { formatTable } from '../terminal.ts'
import { parseVersion } from '../workspaces/parse-version.ts'

/** `invoice@3` in its parts. */
function parseNamed(named: string): { name: string; version: number | undefined } {
  const [name = '', version] = named.split('@')
  return { name, version: version === undefined ? undefined : parseVersion(version) }
}

export function exportToolCommand(context: Context): Command {
  return withExamples(
    new Command('export')
      .description('Writes a tool as other frameworks and languages call it.')
      .argument('<name[@version]>', 'a version that is named is pinned')
      .addArgument(new Argument('<format>', 'what for').choices(toolExportFormat.options))
      .option('-o, --out <file>', 'write it there; - prints it', '')
      .addOption(jsonOption())
      .action(async (named: string, format: ToolExportFormat, options: JsonOption & { out: string }) => {
        const { client } = await connectSignedIn(context.settings)
        const { name, version } = parseNamed(named)
        const query = { format, ...(version !== undefined && { version }) }
        const made = await client(routes.tools.export, { params: { name }, query })
        if (options.json || options.out === '-') return print(context, options, made, () => made.text.trimEnd())
        const path = resolve(context.settings.directory, options.out || made.fileName)
        await writeFile(path, made.text, { flag: 'wx' }).catch((cause: unknown) => {
          throw new CoherexError('conflict', `Cannot write ${path}: ${(cause as Error).message}`, { cause })
        })
        print(context, options, made, () => `Wrote ${path}. It needs COHEREX_API_KEY in its environment`)
      }),
    [
      ['coherex tool export invoice@3 ai-sdk', 'invoice.ai-sdk.mjs, which calls version 3'],
      ['coherex tool export invoice openapi -o -', 'the document, on the screen'],
    ],
  )
}

export function showToolCommand(context: Context): Command {
  return withExamples(
    new Command('show')
      .description('Shows a version of a tool, with the packages that its calls have.')
      .argument('<name[@version]>', 'the published version unless named, or the newest where none is')
      .addOption(jsonOption())
      .action(async (named: string, options: JsonOption) => {
        const { client } = await connectSignedIn(context.settings)
        const { name, version } = parseNamed(named)
        const details =
          version === undefined
            ? (await client(routes.tools.get, { params: { name } })).current
            : await client(routes.tools.version, { params: { name, version } })
        const { definition, lock } = details
        print(context, options, details, () =>
          [
            `${name}@${details.version} · ${definition.language} · ${showControls(definition.description)}`,
            ...(lock
              ? [
                  formatTable(
                    ['PACKAGE', 'VERSION', 'INTEGRITY'],
                    lock.packages.map((one) => [one.name, one.version, one.integrity]),
                  ),
                  `Lock ${lock.hash}`,
                ]
              : ['It needs no packages']),
          ].join('\n'),
        )
      }),
    [['coherex tool show invoice@3', 'its description and its lock']],
  )
}

export function toolUsageCommand(context: Context): Command {
  return new Command('usage')
    .description('Shows the calls of a tool: how many, how long, what failed, and by whom.')
    .argument('<name>', 'name of the tool')
    .addOption(new Option('--days <days>', 'of how many days').argParser(Number).default(14))
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption & { days: number }) => {
      const { client } = await connectSignedIn(context.settings)
      const usage = await client(routes.tools.usage, { params: { name }, query: { days: options.days } })
      const took = (ms: number | null) => (ms === null ? '–' : formatDuration(ms))
      print(context, options, usage, () =>
        [
          formatTable(
            ['VERSION', 'CALLS', 'FAILED', 'BAD INPUT', 'BAD OUTPUT', 'P50', 'P95'],
            [...usage.byVersion.map((one) => ({ ...one, label: String(one.version) })), { ...usage, label: 'all' }].map(
              (one) => [
                ...[one.label, one.calls, one.failed, one.invalidInput, one.invalidOutput].map(String),
                ...[took(one.p50Ms), took(one.p95Ms)],
              ],
            ),
          ),
          '',
          formatTable(
            ['CALLER', 'NAME', 'CALLS', 'VERSIONS'],
            usage.callers.map((one) => [one.kind, showControls(one.name), String(one.calls), one.versions.join(', ')]),
          ),
        ].join('\n'),
      )
    })
}

interface ReviewOptions extends JsonOption {
  reject?: true
  note: string
  file?: string
  line?: number
  ask?: 'model' | 'service'
  model?: string
}

export function reviewToolCommand(context: Context): Command {
  return withExamples(
    new Command('review')
      .description(
        'Shows what was said of a version, says something of it, or has a model or the team’s service do so.',
      )
      .argument('<name@version>', 'the version that is meant')
      .option('--reject', 'keep it from being published; approving takes a signed-in person, in the studio')
      .option('--note <text>', 'what to say', '')
      .option('--file <path>', 'which file it is about')
      .addOption(new Option('--line <number>', 'which line of it').argParser(Number))
      .addOption(new Option('--ask <whom>', 'for a review').choices(['model', 'service']))
      .option('--model <provider/model>', 'the team’s default by default')
      .addOption(jsonOption())
      .action(async (named: string, options: ReviewOptions) => {
        const { client } = await connectSignedIn(context.settings)
        const { name, version } = parseNamed(named)
        if (version === undefined) throw new CoherexError('invalid_input', `Say which version, such as ${name}@1`)
        const { note, file, line, ask, model } = options
        if (ask) {
          const body = ask === 'model' ? { version, by: ask, ...(model && { model }) } : { version, by: ask }
          const answer = await client(routes.tools.askReview, { params: { name }, body })
          const cost = answer.use && `${answer.use.inputTokens + answer.use.outputTokens} tokens`
          return print(
            context,
            options,
            answer,
            () => [...answer.items.map(describe), cost ?? ''].join('\n').trim() || 'Nothing was found',
          )
        }
        if (options.reject || note) {
          const decision = options.reject ? ('reject' as const) : ('comment' as const)
          const body = { version, decision, note, ...(file && { file }), ...(line !== undefined && { line }) }
          const made = await client(routes.tools.review, { params: { name }, body })
          return print(context, options, made, () => describe(made))
        }
        const items = await collectPages((query) =>
          client(routes.tools.reviews, { params: { name }, query: { ...query, version } }),
        )
        print(context, options, { items }, () => items.map(describe).join('\n') || 'Nobody said anything yet')
      }),
    [
      ['coherex tool review invoice@3', 'what was said'],
      ['coherex tool review invoice@3 --ask model', 'findings of a model, kept as comments'],
      ['coherex tool review invoice@3 --reject --note "Rounds wrong" --file main.py --line 12', ''],
    ],
  )
}

function describe({ decision, note, file, line, by }: ToolReview): string {
  const place = file === null ? '' : ` ${file}${line === null ? '' : `:${line}`}`
  const said = { approve: 'approves', reject: 'rejects', comment: 'says' }[decision]
  return showControls(`${by.name} ${said}${place}${note ? `: ${note}` : ''}`)
}
