import { formatBytes, formatDuration, type Language, type Run } from '@coherex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Globe, Play, Server, Square } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { CellOutput } from '../cell/cell-output.tsx'
import { explainRefusal } from '../cell/explain-refusal.ts'
import { LazyExportAsTool } from '../cell/lazy-export-as-tool.tsx'
import { StopButton } from '../cell/stop-button.tsx'
import { useLiveRun } from '../cell/use-live-run.ts'
import { useMe } from '../data/access/me.ts'
import { useRight } from '../data/access/rights.ts'
import { useFenceExecute } from '../data/artifact.ts'
import { hasEnded, runQuery } from '../data/run/run-get.ts'
import { languageNames, runTime, statusWord } from '../output/run-words.ts'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { StatusPill } from '../ui/pill.tsx'
import { Reason } from '../ui/reason.tsx'
import { readStored, writeStored } from '../ui/state/stored.ts'
import { useNow } from '../ui/state/use-now.ts'
import { toast } from '../ui/toast/toast.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { BlockCode } from './block-code.tsx'
import { useBlockExports } from './block-exports.tsx'
import { BlockFailure } from './block-failure.tsx'
import { BlockFrame } from './block-frame.tsx'
import { BlockMenu } from './block-menu.tsx'
import { BlockProblem } from './block-problem.tsx'
import { placeWords, useRunPlace, type RunPlace } from './run-place.ts'
import { BrowserSessionLine, hasSession, SessionLine } from './session-line.tsx'
import { useShareBlock } from './shares/share-block.tsx'
import { useBlock, type BlockProps } from './use-block.ts'
import { useBrowserRun } from './use-browser-run.ts'

const HistoryDialog = lazy(async () => ({ default: (await import('./history-dialog.tsx')).HistoryDialog }))

const icons = { browser: Globe, server: Server }

/** Code of a message that runs: in this browser or on the server, with what came of it the last time. */
export function ArtifactBlock(props: BlockProps) {
  const { place, fence, artifact } = props
  const { language } = fence
  const queryClient = useQueryClient()
  const { person } = useMe()
  const right = useRight('editor', 'edit blocks and run them on the server')
  const where = useRunPlace(language, right)
  const browser = useBrowserRun(place.threadId, language)
  const execute = useFenceExecute()
  const [pinned, setPinned] = useState<{ id: string; over: string | null | undefined }>()
  const [cleared, setCleared] = useState<string>()
  const [ran, setRan] = useState<string>()
  // one that asks for it opens by itself, and does not take the cursor
  const [isEditing, setEditing] = useState(fence.opens && right.may)
  const block = useBlock(props, { isEditing: isEditing && right.may })
  const [hasOpened, setOpened] = useState(false)
  const [isFolded, setFolded] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const [isLooking, setLooking] = useState(false)
  const [isNumbered, setNumbered] = useState(() => readStored('line-numbers') === 'yes')

  // one's own run, or one of the history, is shown until anybody runs the block again
  const newest = artifact?.runId ?? undefined
  const kept = pinned && pinned.over === artifact?.runId ? pinned.id : newest
  const isOthers = pinned !== undefined && kept !== pinned.id
  const own = isOthers && browser.shown && hasEnded(browser.shown.run) ? undefined : browser.shown
  const live = useLiveRun(own || kept === cleared ? undefined : kept)
  const shown = own ?? (live.run && { ...live, run: live.run })
  const run = shown?.run
  const now = useNow(run?.status === 'running')
  const isBusy = run !== undefined && !hasEnded(run)
  const name = languageNames[language as Language]
  const title = fence.title ?? name
  const sharing = useShareBlock({ place, artifact, title, save: block.saveNow, keep: block.keep })
  const exports = useBlockExports({
    ...{ place, fence, artifact, code: block.code, why: right.why, save: block.saveNow, keep: block.keep },
  })
  const params = { id: place.threadId, messageId: place.messageId }

  function send(
    asked:
      | { runtime: 'server' }
      | { runtime: 'browser'; report: NonNullable<Awaited<ReturnType<typeof browser.start>>> },
  ) {
    return execute.mutateAsync({ params, query: { wait: 'false' }, body: { index: place.index, ...asked } })
  }

  function follow(started: Run) {
    if (hasEnded(started)) queryClient.setQueryData(runQuery(started.id).queryKey, started)
    setPinned({ id: started.id, over: artifact?.runId })
    setCleared(undefined)
  }

  function show(id: string) {
    browser.clear()
    setPinned({ id, over: artifact?.runId })
    setCleared(undefined)
  }

  async function start(at: RunPlace) {
    if (isBusy || execute.isPending || where.whyNot[at] !== undefined) return
    setFolded(false)
    setRan(block.code)
    try {
      const saved = block.saveNow()
      if (at === 'server') {
        // what is not saved is told of below the code
        if (!(await saved)) return undefined
        browser.clear()
        return follow(await send({ runtime: 'server' }))
      }
      const report = await browser.start(block.code)
      // who may only read runs it for themselves
      if (!report || !right.may || !(await saved)) return undefined
      const reported = await send({ runtime: 'browser', report })
      // what was said of a fallback is of this page
      if (!report.error) browser.clear()
      return follow(reported)
    } catch (error) {
      const why = explainRefusal(error as Error)
      toast({
        title: at === 'server' ? 'Could not start the run' : 'The run was not saved',
        description: why,
        tone: 'error',
      })
      return undefined
    }
  }

  function run_() {
    void start(where.place)
  }

  async function forget() {
    const { resetSession } = await import('../runtimes/browser-sessions.ts')
    await resetSession(place.threadId, language)
    toast({ title: `${name} begins anew in this browser` })
  }

  // variables of a run that another window reported are not in this one
  const ranHere = run?.runtime?.name === 'browser' ? browser.last : undefined
  // a line of another text is not the one that failed
  const isOfRun =
    run?.artifactVersion === undefined ? ran === block.code : run.artifactVersion === block.version && !block.isTyped
  const wrong = isOfRun && run?.error?.line ? { line: run.error.line, message: run.error.message } : undefined
  const Icon = icons[where.place]
  const progress = browser.shown?.progress
  return (
    <BlockFrame
      title={title}
      language={name}
      version={block.version}
      isFolded={isFolded}
      onFold={setFolded}
      onBeside={isBusy ? undefined : props.onBeside}
      lead={
        isBusy && run.id !== 'run_browser' ? (
          <StopButton run={run} size="small" />
        ) : isBusy ? (
          <Button
            look="danger-quiet"
            size="small"
            icon={<Square aria-hidden />}
            onClick={({ detail }) => {
              // Stop stands where Run was: the second press of a double click is not meant for it
              if (detail < 2) browser.stop()
            }}
          >
            Stop
          </Button>
        ) : (
          <Reason why={where.whyNot[where.place]}>
            <Tooltip text={placeWords[where.place]} shortcut="mod enter">
              <Button
                size="small"
                icon={<Play aria-hidden />}
                busy={execute.isPending}
                disabled={where.whyNot[where.place] !== undefined || block.code.trim() === ''}
                onClick={run_}
              >
                Run
              </Button>
            </Tooltip>
          </Reason>
        )
      }
      status={
        <>
          {block.isSaving || block.isTyped ? (
            <span className="text-muted">{block.isSaving ? 'Saving' : 'Edited'}</span>
          ) : null}
          {run && (
            <span aria-live="polite" className="flex items-center gap-1.5">
              <StatusPill status={statusWord(run)} />
              <span className="whitespace-nowrap text-muted tabular max-sm:hidden">
                {progress
                  ? `${formatBytes(progress.bytes)} of ${formatBytes(progress.ofBytes)}`
                  : hasEnded(run)
                    ? [formatDuration(run.durationMs), run.peakMemoryMb && `${Math.round(run.peakMemoryMb)} MB`]
                        .filter(Boolean)
                        .join(', ')
                    : runTime(run, now)}
              </span>
              {run.createdBy.id !== '' && run.createdBy.id !== person.id && (
                <span className="max-w-40 truncate text-muted">by {run.createdBy.name}</span>
              )}
            </span>
          )}
        </>
      }
      actions={
        <>
          <Menu
            trigger={
              <Button
                size="small"
                look="quiet"
                icon={<Icon aria-hidden />}
                aria-label={`Runs ${where.place === 'browser' ? 'in this browser' : 'on the server'}`}
              >
                <span className="max-sm:hidden">{where.place === 'browser' ? 'Browser' : 'Server'}</span>
              </Button>
            }
          >
            {(['browser', 'server'] as const).map((one) => (
              <MenuItem
                key={one}
                checked={one === where.place}
                disabled={where.whyNot[one] !== undefined}
                hint={where.whyNot[one] ?? placeWords[one]}
                onSelect={() => where.choose(one)}
              >
                {one === 'browser' ? 'Browser' : 'Server'}
              </MenuItem>
            ))}
          </Menu>
          <BlockMenu
            code={block.code}
            isEditing={isEditing}
            why={right.why}
            onEdit={() => {
              if (isEditing) void block.saveNow()
              setEditing(!isEditing)
              setOpened(true)
            }}
            isNumbered={isNumbered}
            onNumbers={() => {
              writeStored('line-numbers', isNumbered ? undefined : 'yes')
              setNumbered(!isNumbered)
            }}
            onClear={
              run && !isBusy
                ? () => {
                    browser.clear()
                    setCleared(kept)
                  }
                : undefined
            }
            onReset={where.place === 'browser' && !isBusy ? () => void forget() : undefined}
            onExport={block.code.trim() === '' ? undefined : () => setExporting(true)}
            more={exports.items}
            onHistory={artifact && (() => setLooking(true))}
            onShare={sharing.share}
          />
        </>
      }
    >
      <BlockCode
        label={`Code of ${title}`}
        folder={`artifact/${place.messageId}/${place.index}`}
        language={language}
        code={block.code}
        path={block.path}
        live={block.live}
        isEditing={isEditing}
        autoFocus={hasOpened}
        isNumbered={isNumbered}
        mark={wrong}
        onChange={block.type}
        onRun={run_}
      />
      {block.problem !== undefined && (
        <BlockProblem problem={block.problem} onMine={() => void block.keepMine()} onTheirs={block.takeTheirs} />
      )}
      {shown && <CellOutput live={{ ...idle, ...shown }} takesFocus={false} onMoved={show} />}
      {run && hasSession(run) && <SessionLine threadId={place.threadId} run={run} name={name} why={right.why} />}
      {ranHere && !isBusy && (
        <BrowserSessionLine threadId={place.threadId} run={ranHere} name={name} onForget={forget} />
      )}
      {run?.error && run.status === 'failed' && (
        <BlockFailure
          threadId={place.threadId}
          block={{ name, title: fence.title, language, code: block.code }}
          error={run.error}
          mayAct={right.may}
          needsServer={browser.shown?.needsServer}
          isSaving={execute.isPending}
          onServer={() => void start('server')}
        />
      )}
      {isExporting && (
        <LazyExportAsTool
          from={{ code: block.code, language: language as Language }}
          name={fence.title ?? ''}
          onClose={() => setExporting(false)}
        />
      )}
      {isLooking && artifact && (
        <Suspense>
          <HistoryDialog
            artifact={artifact}
            title={title}
            why={right.why}
            onRestore={(text) => void block.restore(text)}
            onShowRun={show}
            onClose={() => setLooking(false)}
          />
        </Suspense>
      )}
      {sharing.dialog}
      {exports.dialog}
    </BlockFrame>
  )
}

const idle = { asked: undefined, onAnswered: () => undefined, lost: false, error: null, retry: () => undefined }
