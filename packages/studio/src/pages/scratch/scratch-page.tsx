import { languages, type Language, type LanguageStatus, type RunProgram } from '@coherex/contract'
import { BookOpen, FileOutput, FilePlus2, SquareTerminal, Wrench } from 'lucide-react'
import { useMemo, useState } from 'react'
import { LanguageField, RunButton } from '../../cell/cell-controls.tsx'
import { explainRefusal } from '../../cell/explain-refusal.ts'
import { LazyExportAsTool } from '../../cell/lazy-export-as-tool.tsx'
import { RunOptions } from '../../cell/options/run-options.tsx'
import { countOptions, fixOptions, noOptions, undoReset, writeOptions } from '../../cell/options/typed-options.ts'
import { useOptionCheck } from '../../cell/options/use-option-check.ts'
import { SaveToWorkspace } from '../../cell/save-to-workspace.tsx'
import { useRunKey } from '../../cell/use-run-key.ts'
import { useRight } from '../../data/access/rights.ts'
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
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Reason } from '../../ui/reason.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { useIsRoomy } from '../../ui/state/is-roomy.ts'
import { readOwn, writeOwn } from '../../ui/state/stored.ts'
import { toast } from '../../ui/toast/toast.ts'
import { FileTabs } from '../runs/file-tabs.tsx'
import { AddFileDialog } from './add-file-dialog.tsx'
import { examples, optionsOf, type Example } from './examples.ts'
import { isUntouched, type ScratchDraft } from './scratch-draft.ts'
import { ScratchRun } from './scratch-run.tsx'
import { useProgramOfRun } from './use-program-of-run.ts'
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
  const [adding, setAdding] = useState(false)
  const [saving, setSaving] = useState(false)
  const [exporting, setExporting] = useState(false)
  const [runId, setRunId] = useState(() => readOwn(lastRunKey))
  const [state, setState] = useState<{ ended: boolean; marks: EditorMark[] }>({ ended: true, marks: [] })
  const [edited, setEdited] = useState(false)
  const [reveal, setReveal] = useState<CodePlace>()
  usePageTitle('Scratch')

  const { check, read } = useOptionCheck(draft.options)
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
  function resetOptions() {
    const before = draft.options
    change({ options: noOptions })
    if (countOptions(before) === 0) return
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
    const part = read()
    if (!part) return
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
        <LanguageField
          language={language}
          choices={languages
            .filter((value) => value === language || isAvailable(value, available))
            .map((value) => ({ value, label: languageNames[value] }))}
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
        <RunOptions
          check={check}
          language={language}
          options={draft.options}
          onChange={(options) => change({ options })}
          onReset={resetOptions}
        />
        <Button look="quiet" icon={<FileOutput aria-hidden />} disabled={!mayRun.may} onClick={() => setSaving(true)}>
          Save to workspace…
        </Button>
        <Reason
          why={mayRun.why ?? (runId && !running && !edited ? undefined : 'Run it first: the run becomes a tool.')}
        >
          <Button
            look="quiet"
            icon={<Wrench aria-hidden />}
            disabled={!mayRun.may || !runId || running || edited}
            onClick={() => setExporting(true)}
          >
            Export as tool…
          </Button>
        </Reason>
        <div className="ml-auto">
          <RunButton
            running={running && runId ? { id: runId } : undefined}
            right={{ may: why === undefined, why }}
            isStarting={create.isPending}
            onRun={run}
            look="primary"
          />
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
              onFixed={(fix, stdin) => change({ options: fixOptions(draft.options, { ...fix, stdin }) })}
              onGone={forgetRun}
              onState={setState}
            />
          ) : (
            <Empty icon={SquareTerminal} title="Output appears here">
              Press Run, or Ctrl or Cmd with Enter in the code. Every run is kept under Activity.
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
      {exporting && runId && <LazyExportAsTool from={{ runId }} name={shown} onClose={() => setExporting(false)} />}
      {saving && <SaveToWorkspace content={draft.files[shown] ?? ''} path={shown} onClose={() => setSaving(false)} />}
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

/** Those that are not installed are told in the settings, to whoever can change that. */
function isAvailable(value: Language, known: readonly LanguageStatus[] | undefined): boolean {
  return known?.find(({ language }) => language === value)?.available ?? true
}
