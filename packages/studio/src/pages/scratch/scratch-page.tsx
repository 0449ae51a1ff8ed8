import { languages, type Language, type RunProgram } from '@coherex/contract'
import { BookOpen, FilePlus2, Play, SlidersHorizontal, SquareTerminal } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useRight } from '../../data/rights.ts'
import { useLanguageList } from '../../data/run/language-list.ts'
import { useRunCreate } from '../../data/run/run-create.ts'
import { CodeEditor, type EditorMark } from '../../editor/code-editor.tsx'
import type { CodePlace } from '../../output/find-places.ts'
import { languageNames } from '../../output/run-words.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Empty } from '../../ui/empty.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useIsRoomy } from '../../ui/is-roomy.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Select } from '../../ui/select.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { readOwn, writeOwn } from '../../ui/stored.ts'
import { toast } from '../../ui/toast.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { explainRefusal } from '../runs/explain-refusal.ts'
import { FileTabs } from '../runs/file-tabs.tsx'
import { StopButton } from '../runs/run-actions.tsx'
import { AddFileDialog } from './add-file-dialog.tsx'
import { examples, optionsOf, type Example } from './examples.ts'
import { OptionsPanel } from './options-panel.tsx'
import { isUntouched, type ScratchDraft } from './scratch-draft.ts'
import { countOptions, noOptions, readOptions, undoReset, writeOptions } from './scratch-options.ts'
import { ScratchRun } from './scratch-run.tsx'
import { useProgramOfRun } from './use-program-of-run.ts'
import { useRunKey } from './use-run-key.ts'
import { useScratch } from './use-scratch.ts'

const lastRunKey = 'draft.scratch-run'

/** A place to type code and run it at once. */
export function ScratchPage() {
  const { language, draft, latestDraft, pickLanguage, change, changeFile, putBack, replace } = useScratch()
  const roomy = useIsRoomy()
  const mayRun = useRight('editor', 'run code')
  const create = useRunCreate()
  const available = useLanguageList().data?.items
  const [active, setActive] = useState(draft.entry)
  const [optionsOpen, setOptionsOpen] = useState(false)
  const optionsPanel = useRef<HTMLElement>(null)
  // how often a run was asked for that its options do not allow
  const [refusals, setRefusals] = useState(0)
  const [adding, setAdding] = useState(false)
  const [runId, setRunId] = useState(() => readOwn(lastRunKey))
  const [state, setState] = useState<{ ended: boolean; marks: EditorMark[] }>({ ended: true, marks: [] })
  const [edited, setEdited] = useState(false)
  const [reveal, setReveal] = useState<CodePlace>()
  usePageTitle('Scratch')

  const { part, errors } = readOptions(draft.options)
  const count = countOptions(draft.options)
  const missing = available?.find((one) => one.language === language && !one.available)?.reason
  const why = mayRun.why ?? (missing && `${languageNames[language]} does not run here: ${missing}`)
  const running = runId !== undefined && !state.ended
  const paths = useMemo(
    () => [draft.entry, ...Object.keys(draft.files).filter((path) => path !== draft.entry)],
    [draft.entry, draft.files],
  )
  const shown = paths.includes(active) ? active : draft.entry

  function follow(id: string) {
    setState({ ended: false, marks: [] })
    setRunId(id)
    writeOwn(lastRunKey, id)
  }
  // the last run was of another team, or its time was over
  function forgetRun() {
    setState({ ended: true, marks: [] })
    setRunId(undefined)
    writeOwn(lastRunKey, undefined)
  }
  function showWrongOption() {
    setOptionsOpen(true)
    setRefusals(refusals + 1)
  }
  useEffect(() => {
    if (refusals === 0) return
    const field = optionsPanel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.focus()
    // what is wrong with it stands below, and is the first that describes it
    const [error = ''] = field?.getAttribute('aria-describedby')?.split(' ') ?? []
    document.getElementById(error)?.scrollIntoView({ block: 'nearest' })
  }, [refusals])
  function resetOptions() {
    const before = draft.options
    change({ options: noOptions })
    if (count === 0) return
    toast({
      title: 'Options were reset',
      tone: 'info',
      action: {
        label: 'Undo',
        run: () => putBack(language, ({ options }) => ({ options: undoReset(before, options) })),
      },
    })
  }
  function run() {
    if (why || running || create.isPending) return
    if (Object.keys(errors).length > 0) return showWrongOption()
    const { entry, files: all, binary } = latestDraft()
    const { [entry]: code = '', ...texts } = all
    const files = { ...texts, ...binary }
    create.mutate(
      {
        query: { wait: 'false' },
        // without code, an entry would be one of the files
        body: {
          ...{ ...part, language, code },
          ...(code === '' ? {} : { entry }),
          ...(Object.keys(files).length > 0 ? { files } : {}),
        },
      },
      {
        onSuccess({ id }) {
          setEdited(false)
          follow(id)
        },
        onError: (error) =>
          toast({ title: 'Could not start the run', description: explainRefusal(error), tone: 'error' }),
      },
    )
  }
  useRunKey(run)

  function load(next: { language: Language; draft: ScratchDraft; from: string }) {
    const before = replace(next.language, next.draft)
    setActive(next.draft.entry)
    setEdited(true)
    if (isUntouched(next.language, before)) return
    toast({
      title: `${next.from} replaced your draft`,
      tone: 'info',
      action: { label: 'Undo', run: () => void replace(next.language, before) },
    })
  }
  useProgramOfRun((program, from) => {
    const { language: next } = program.options
    const { texts, binary } = splitFiles(program.files)
    const files = { [program.entry]: program.code, ...texts }
    load({
      language: next,
      draft: { entry: program.entry, files, binary, options: writeOptions(program.options) },
      from,
    })
  })
  const tryExample = (example: Example) => {
    const entry = draft.entry
    load({
      language,
      draft: { entry, files: { [entry]: example.code }, options: optionsOf(example) },
      from: 'The example',
    })
  }
  const show = (place: CodePlace) => {
    setActive(place.path)
    setReveal({ ...place })
  }

  return (
    <div className="flex h-window min-h-0 flex-col">
      <header className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <h1 className="mr-2 text-lead font-semibold">Scratch</h1>
        <Select
          label="Language"
          className="w-36!"
          value={language}
          choices={languages.map((value) => choiceOf(value, available))}
          onChange={(next) => {
            pickLanguage(next)
            setEdited(true)
          }}
        />
        <Menu
          align="start"
          trigger={
            <Button look="quiet" icon={<BookOpen aria-hidden />}>
              Examples
            </Button>
          }
        >
          {examples[language].map((example) => (
            <MenuItem key={example.name} hint={example.hint} onSelect={() => tryExample(example)}>
              {example.name}
            </MenuItem>
          ))}
        </Menu>
        <Button
          look="quiet"
          aria-expanded={optionsOpen}
          icon={<SlidersHorizontal aria-hidden />}
          onClick={() => setOptionsOpen(!optionsOpen)}
        >
          Options{count > 0 ? ` · ${count}` : ''}
        </Button>
        <div className="ml-auto">
          {running && runId ? (
            <StopButton run={{ id: runId }} />
          ) : (
            <Reason why={why}>
              <Tooltip text="Run the code" shortcut="mod enter">
                <Button
                  look="primary"
                  icon={<Play aria-hidden />}
                  busy={create.isPending}
                  disabled={why !== undefined}
                  onClick={run}
                >
                  Run
                </Button>
              </Tooltip>
            </Reason>
          )}
        </div>
      </header>
      {why && (
        <div className="shrink-0 px-4 pt-3">
          <Callout tone="warning">{why}</Callout>
        </div>
      )}
      <SplitPane
        name="scratch"
        direction={roomy ? 'row' : 'column'}
        secondLabel="The run"
        initial={0.5}
        second={
          runId ? (
            <ScratchRun
              key={runId}
              id={runId}
              paths={paths}
              onShow={show}
              onMoved={follow}
              onGone={forgetRun}
              onState={setState}
            />
          ) : (
            <Empty icon={SquareTerminal} title="Output comes here">
              Press Run, or Ctrl or Cmd with Enter in the code. Every run is kept under Runs.
            </Empty>
          )
        }
      >
        <div className="flex shrink-0 items-stretch bg-sunken">
          <div className="min-w-0 flex-1">
            <FileTabs
              paths={paths}
              active={shown}
              onPick={setActive}
              onRemove={(path) => {
                const { [path]: text, ...files } = draft.files
                change({ files })
                toast({
                  title: `Removed ${path}`,
                  tone: 'info',
                  action: {
                    label: 'Undo',
                    run: () => putBack(language, (now) => ({ files: { ...now.files, [path]: text ?? '' } })),
                  },
                })
              }}
            />
          </div>
          <div className="border-b border-line">
            <IconButton
              label="Add file"
              size="small"
              icon={<FilePlus2 aria-hidden />}
              onClick={() => setAdding(true)}
            />
          </div>
        </div>
        {optionsOpen && (
          <OptionsPanel
            ref={optionsPanel}
            language={language}
            options={draft.options}
            onChange={(options) => change({ options })}
            onReset={resetOptions}
          />
        )}
        <CodeEditor
          label={`${languageNames[language]} code`}
          folder={`scratch/${language}`}
          files={draft.files}
          active={shown}
          onChange={(path, text) => {
            changeFile(path, text)
            setEdited(true)
          }}
          onRun={run}
          marks={edited ? noMarks : state.marks}
          reveal={reveal}
          autoFocus={roomy}
        />
      </SplitPane>
      {adding && (
        <AddFileDialog
          taken={paths}
          binary={Object.keys(draft.binary ?? {})}
          onClose={() => setAdding(false)}
          onAdd={(path) => {
            setAdding(false)
            changeFile(path, '')
            setActive(path)
          }}
        />
      )}
    </div>
  )
}

// a mark on code that has changed since points at the wrong line
const noMarks: EditorMark[] = []

function splitFiles(files: RunProgram['files']) {
  const entries = Object.entries(files)
  return {
    texts: Object.fromEntries(entries.flatMap(([path, file]) => (typeof file === 'string' ? [[path, file]] : []))),
    binary: Object.fromEntries(entries.filter(([, file]) => typeof file !== 'string')),
  }
}

function choiceOf(
  value: Language,
  available: readonly { language: Language; available: boolean; reason?: string | undefined }[] | undefined,
) {
  const status = available?.find(({ language }) => language === value)
  const label = languageNames[value]
  return status && !status.available
    ? { value, label, hint: `Not available: ${status.reason ?? 'nothing here runs it'}` }
    : { value, label }
}
