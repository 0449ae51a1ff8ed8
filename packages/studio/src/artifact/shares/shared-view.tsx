import { formatBytes, formatDuration, type Language, type Run, type SharedArtifact } from '@coherex/contract'
import { Pencil, Play, RotateCcw, Square } from 'lucide-react'
import { useMemo, useState } from 'react'
import { CodeText } from '../../markdown/code-block.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import { OutputLog } from '../../output/output-log.ts'
import { languageNames, statusWord } from '../../output/run-words.ts'
import { whyNotInBrowser } from '../../runtimes/browser-languages.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field/select.tsx'
import { StatusPill } from '../../ui/pill.tsx'
import { CopyButton } from '../../ui/text/copy-button.tsx'
import { Time } from '../../ui/text/time.tsx'
import { DrawnFrame } from '../drawn-frame.tsx'
import { beginRun, useBrowserRun } from '../use-browser-run.ts'
import { SharedOutput } from './shared-output.tsx'
import { SharedThread } from './shared-thread.tsx'

interface SharedViewProps {
  shared: SharedArtifact
  onVersion: (version: number) => void
}

/** What a share shows: a conversation, or code. */
export function SharedView(props: SharedViewProps) {
  const { messages } = props.shared
  return messages ? <SharedThread shared={props.shared} messages={messages} /> : <SharedCode {...props} />
}

/** Code runs in the browser of who looks at it, and nothing of that is sent anywhere. */
function SharedCode({ shared, onVersion }: SharedViewProps) {
  const { title, kind, language, mode, sharedBy, version, versions, code: given } = shared
  const [typed, setTyped] = useState<string>()
  const [isEditing, setEditing] = useState(false)
  const browser = useBrowserRun('shared', language)
  const kept = useMemo(() => toShown(shared), [shared])
  const code = typed ?? given
  const shown = browser.shown ?? (typed === undefined ? kept : undefined)
  const isBusy = browser.shown !== undefined && ['loading', 'running'].includes(browser.shown.run.status)
  const whyNot = whyNotInBrowser(language)
  const runs = mode === 'run' && kind === 'code' && whyNot === undefined
  const name = languageNames[language as Language] ?? language
  const progress = browser.shown?.progress
  return (
    <section aria-label={title} className="overflow-clip rounded-lg border border-line bg-surface">
      <header className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-sunken px-2 py-1 text-small">
        {runs &&
          (isBusy ? (
            <Button look="danger-quiet" size="small" icon={<Square aria-hidden />} onClick={browser.stop}>
              Stop
            </Button>
          ) : (
            <Button
              look="primary"
              size="small"
              icon={<Play aria-hidden />}
              disabled={code.trim() === ''}
              onClick={() => void browser.start(code)}
            >
              Run
            </Button>
          ))}
        <h1 className="min-w-0 truncate font-medium">{title}</h1>
        <span className="text-muted">{name}</span>
        <div className="ml-auto flex flex-wrap items-center gap-1.5">
          {shown && (
            <span aria-live="polite" className="flex items-center gap-1.5">
              <StatusPill status={statusWord(shown.run)} />
              <span className="text-muted tabular max-sm:hidden">
                {progress
                  ? `${formatBytes(progress.bytes)} of ${formatBytes(progress.ofBytes)}`
                  : !isBusy && formatDuration(shown.run.durationMs)}
              </span>
            </span>
          )}
          {runs && (
            <Button
              look="quiet"
              size="small"
              icon={typed === undefined ? <Pencil aria-hidden /> : <RotateCcw aria-hidden />}
              onClick={() => {
                setEditing(typed === undefined && !isEditing)
                setTyped(undefined)
                browser.clear()
              }}
            >
              {typed !== undefined ? 'Undo changes' : isEditing ? 'Close' : 'Edit'}
            </Button>
          )}
          {versions.length > 1 && (
            <Select
              size="small"
              label="Version"
              value={String(version)}
              choices={versions.map((one) => ({ value: String(one.version), label: `Version ${one.version}` }))}
              onChange={(next) => {
                setTyped(undefined)
                browser.clear()
                onVersion(Number(next))
              }}
            />
          )}
          <CopyButton text={code} label="Copy code" />
        </div>
      </header>
      {kind !== 'code' && kind !== 'file' && kind !== 'thread' && (
        <div className="border-b border-line">
          {kind === 'markdown' ? (
            <div className="px-3 py-2">
              <Markdown text={code} />
            </div>
          ) : (
            <DrawnFrame kind={kind} code={code} title={title} mayRun={mode === 'run'} />
          )}
        </div>
      )}
      {isEditing ? (
        <textarea
          aria-label={`Code of ${title}`}
          value={code}
          spellCheck={false}
          autoCapitalize="off"
          rows={Math.min(24, Math.max(4, code.split('\n').length + 1))}
          onChange={({ target }) => setTyped(target.value === given ? undefined : target.value)}
          className="block w-full resize-y bg-surface px-3 py-2 font-mono text-small leading-5 [font-variant-ligatures:none] text-text focus-visible:-outline-offset-2"
        />
      ) : (
        <CodeText text={code} language={language} label={`Code of ${title}`} />
      )}
      {shown && <SharedOutput run={shown.run} log={shown.log} version={shown.version} />}
      <footer className="flex flex-wrap gap-x-3 gap-y-0.5 border-t border-line px-3 py-1.5 text-small text-muted">
        <span>Shared by {sharedBy}</span>
        {kept?.run.endedAt && !browser.shown && (
          <span>
            Ran <Time at={kept.run.endedAt} />
          </span>
        )}
        {runs && <span>Runs in this browser, without a network.</span>}
        {mode === 'run' && kind === 'code' && whyNot !== undefined && <span>{whyNot}</span>}
      </footer>
    </section>
  )
}

/** What came of the last run, as a run of this browser is shown. */
function toShown({ run, language }: SharedArtifact): { run: Run; log: OutputLog; version: number } | undefined {
  if (!run) return undefined
  const log = new OutputLog()
  for (const line of run.output) log.append(line)
  return { run: { ...beginRun(language), ...run }, log, version: log.version }
}
