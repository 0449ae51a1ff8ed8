import { foundKinds, routes } from '@coherex/contract'
import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { parseLimit } from '../parse-limit.ts'
import { formatTable } from '../terminal.ts'

interface SearchOptions extends JsonOption {
  kinds?: string
  limit: number
}

export function searchCommand(context: Context): Command {
  const command = new Command('search')
    .summary('search everything: names, files, messages, runs')
    .description('Searches everything you may see: names first, then what files, messages and runs say.')
    .argument('<words...>', 'words; the last may be unfinished')
    .option('--kinds <kinds>', `some of ${foundKinds.join(', ')}, separated by commas`)
    .option('--limit <n>', 'how many, 50 at the most', parseLimit, 20)
    .addOption(jsonOption())
    .action(async (words: string[], { json, limit, ...kinds }: SearchOptions) => {
      const { client } = await connectSignedIn(context.settings)
      const query = { q: words.join(' '), limit: Math.min(limit, 50), ...kinds }
      const { items } = await client(routes.search.find, { query })
      print(context, { json: json ?? false }, { items }, () =>
        items.length === 0
          ? 'Nothing found.'
          : formatTable(
              ['KIND', 'NAME', 'IN', 'LINE', 'ADDRESS'],
              items.map(({ kind, title, where, snippet, url }) =>
                [kind, title, where ?? '', snippet ?? '', url].map((one) => one.slice(0, 60)),
              ),
            ),
      )
    })
  return withExamples(command, [
    ['coherex search sales plot', 'by name and by content'],
    ['coherex search groupby --kinds file,message', 'in files and conversations only'],
  ])
}
