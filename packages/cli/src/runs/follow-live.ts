import { CoherexError, isResultShown, routes, type Run, type RunRequest } from '@coherex/contract'
import type { Connection } from '../connect.ts'
import { print, type Context, type JsonOption } from '../context.ts'
import { exitCode, exitCodeOfRun } from '../exit-code.ts'
import { showControls } from '../guest-text.ts'
import { describeError } from './describe-error.ts'
import { createOutputPrinter } from './output-printer.ts'
import { createDisplaySaver, type DisplaySaver } from './save-display.ts'
import { showResult } from './show-result.ts'
import { watchRun } from './watch-run.ts'

export type LiveOptions = JsonOption & { raw?: boolean }

/** Runs a cell, shows what it prints and its end, and ends with its exit code. */
export async function runCell(
  context: Context,
  connection: Connection,
  asked: { request: RunRequest; options: LiveOptions },
): Promise<void> {
  const { run, isInterrupted } = await followLive(context, connection, asked, createDisplaySaver(undefined))
  if (asked.options.json) print(context, asked.options, run, String)
  else showEnd(context, run, asked.request)
  context.endWith(isInterrupted ? exitCode.cancelled : exitCodeOfRun(run))
}

/** Shows a run while it goes on. The first Ctrl-C cancels it on the server, where its processes are. */
export async function followLive(
  context: Context,
  connection: Connection,
  { request, options }: { request: RunRequest; options: LiveOptions },
  saver: DisplaySaver,
): Promise<{ run: Run; isInterrupted: boolean }> {
  const { terminal } = context
  const printer = createOutputPrinter(terminal, options)
  let id: string | undefined
  let isInterrupted = false
  const cancel = async () => {
    if (id === undefined) return
    await connection.client(routes.runs.cancel, { params: { id } }).catch((error: Error) => {
      terminal.note(`coherex: cannot cancel ${id}: ${error.message}`)
    })
  }
  const stopListening = context.onInterrupt(() => {
    isInterrupted = true
    terminal.note('coherex: cancelling the run; once more leaves without waiting')
    void cancel()
  })
  let shownAlready: string | undefined
  try {
    for await (const event of watchRun(connection, request, terminal)) {
      if (event.type === 'run-end') {
        if (!options.json) printer.end()
        for (const note of saver.notes()) terminal.note(note)
        return { run: event.run, isInterrupted }
      }
      if (event.type === 'run-start') {
        id = event.run.id
        if (isInterrupted) void cancel()
        continue
      }
      if (event.type === 'run-input-request') {
        const { prompt, secret } = event.request
        if (id === undefined) continue
        const text = await giveInput(context, connection, { id, prompt: showControls(prompt), secret })
        shownAlready = `${prompt}${secret ? '' : (text ?? '')}\n`
        continue
      }
      // the run keeps prompt and answer, which whoever sits here has seen
      if (event.output.stream === 'stdout' && event.output.text === shownAlready) {
        shownAlready = undefined
        continue
      }
      if (!options.json) printer.print(event.output)
      if (event.output.stream === 'display') await saver.add(event.output.data)
    }
  } finally {
    stopListening()
  }
  throw new CoherexError('internal', 'The stream of the run ended before the run')
}

export function showEnd({ terminal }: Context, run: Run, request: RunRequest): void {
  if (run.truncated) terminal.note('coherex: it printed more than its limit; the rest was cut')
  // a table that was printed is not told once more, except to a program that reads it
  const isTold = terminal.isTerminal('out') && isResultShown(run)
  if (run.result !== undefined && !isTold) terminal.out(showResult(run, terminal.isTerminal('out')))
  if (run.status === 'succeeded') return
  terminal.note(describeError(terminal, run, request))
}

/** What the code waits for, from whoever sits here. */
async function giveInput(
  { terminal }: Context,
  { client }: Connection,
  { id, prompt, secret }: { id: string; prompt: string; secret: boolean },
): Promise<string | undefined> {
  const text = secret ? await terminal.askSecret(prompt) : await terminal.ask(prompt)
  await client(routes.runs.stdin, { params: { id }, body: { text: text ?? null } }).catch((error: unknown) => {
    // the code did not wait any longer
    if (!(error instanceof CoherexError) || (error.code !== 'conflict' && error.code !== 'not_found')) throw error
  })
  return text
}
