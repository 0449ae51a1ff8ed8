import './monaco-editor.css'
import { useEffect, useEffectEvent, useRef } from 'react'
import { changeBetween } from '../live/replace-text.ts'
import type { CodeEditorProps, EditorCursor, SelectedLines } from './code-editor.tsx'
import { createModel } from './create-model.ts'
import { followPageTheme, showEditorTheme } from './editor-theme.ts'
import { registerFormatting } from './format/format-editor.ts'
import { showAgain, viewOf, type LastView } from './live/last-view.ts'
import { useLiveModel } from './live/use-live-model.ts'
import { monaco } from './monaco.ts'
import { optionsOfFile } from './options-of-file.ts'
import { hasCells, partToRun, type RunPart } from './run-part.ts'
import { useSessionNames } from './session-names.ts'
import { useShownProposed } from './show-proposed.ts'
import { useShownResults } from './show-results.ts'
import { useEditorHelp } from './use-editor-help.ts'

type Model = monaco.editor.ITextModel

registerFormatting()

interface MonacoEditorProps extends CodeEditorProps {
  /** Where one typed before it was here. */
  start?: EditorCursor | undefined
}

export function MonacoEditor(props: MonacoEditorProps) {
  const { label, folder, files, active, live, onChange, readOnlyWhy, marks, reveal, autoFocus } = props
  const frame = useRef<HTMLDivElement>(null)
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined)
  const models = useRef(new Map<string, Model>())
  // texts on their way to the parent and back: what comes back late must not undo what was typed since
  const told = useRef(new Map<string, string[]>())
  const applying = useRef(false)
  const last = useRef<LastView>(undefined)
  const isLive = live !== undefined
  const readOnly = live ? !live.mayWrite : onChange === undefined
  const tellChange = useEffectEvent((path: string, text: string) => props.onChange?.(path, text))
  const tellCursor = useEffectEvent(({ lineNumber: line, column }: monaco.Position, selected?: SelectedLines) =>
    props.onCursor?.({ line, column, selected }),
  )
  const run = useEffectEvent((goesOn: boolean) => {
    const made = editor.current
    const part = made && props.onRunPart && readPart(made)
    if (!part) return props.onRun?.()
    props.onRunPart?.(part.code, part.last)
    if (!goesOn || part.next === undefined) return undefined
    made.setPosition({ lineNumber: part.next, column: 1 })
    made.revealLineInCenterIfOutsideViewport(part.next)
  })
  const runNext = useEffectEvent(() => props.onRunNext?.())

  useEffect(() => {
    if (!frame.current) return undefined
    showEditorTheme()
    const made = monaco.editor.create(frame.current, {
      model: null,
      theme: 'coherex',
      readOnly,
      ariaLabel: label,
      automaticLayout: true,
      fontFamily: "'JetBrains Mono Variable', ui-monospace, monospace",
      fontSize: 13,
      fontLigatures: false,
      lineHeight: 20,
      minimap: { enabled: false },
      padding: { top: 10, bottom: 10 },
      scrollBeyondLastLine: false,
      fixedOverflowWidgets: true,
      lineNumbersMinChars: 3,
      lineDecorationsWidth: 8,
      overviewRulerLanes: 0,
      renderLineHighlight: readOnly ? 'none' : 'line',
      // who only reads sees what is wrong too
      renderValidationDecorations: 'on',
      scrollbar: { alwaysConsumeMouseWheel: false, verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
      stickyScroll: { enabled: false },
      bracketPairColorization: { enabled: false },
    })
    editor.current = made
    const ownModels = models.current
    // addAction and not addCommand: commands are shared by all editors of a page
    made.addAction({
      id: 'coherex.run',
      label: 'Run',
      keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter],
      run: () => run(false),
    })
    made.onDidChangeCursorSelection(({ selection }) => tellCursor(selection.getPosition(), readSelected(made)))
    if (props.onRunNext) {
      made.addAction({
        id: 'coherex.run-next',
        label: 'Run and go on',
        keybindings: [monaco.KeyMod.Shift | monaco.KeyCode.Enter],
        run: () => runNext(),
      })
    }
    if (props.onRunPart) {
      const inCells = made.createContextKey<boolean>('coherexHasCells', false)
      const look = () => inCells.set(hasCells(made.getModel()?.getValue() ?? ''))
      made.onDidChangeModel(look)
      made.onDidChangeModelContent(look)
      made.addAction({
        id: 'coherex.run-cell',
        label: 'Run the cell and go on to the next',
        precondition: 'coherexHasCells',
        keybindings: [monaco.KeyMod.Shift | monaco.KeyCode.Enter],
        run: () => run(true),
      })
    }
    const stopFollowing = followPageTheme()
    // line heights measured before the font came would not fit it
    void document.fonts.ready.then(() => monaco.editor.remeasureFonts())
    return () => {
      stopFollowing()
      made.dispose()
      editor.current = undefined
      for (const model of ownModels.values()) model.dispose()
      ownModels.clear()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- made once; what changes is told below
  }, [])

  // another folder is another history, and its models must not meet those of the last
  useEffect(() => {
    const own = models.current
    if (isLive) {
      if (own.size > 0 && editor.current) last.current = viewOf(editor.current, active)
      for (const model of own.values()) model.dispose()
      own.clear()
      return
    }
    for (const [path, model] of own) {
      if (path.startsWith(`${folder}/`) && path.slice(folder.length + 1) in files) continue
      model.dispose()
      own.delete(path)
    }
    for (const [path, text] of Object.entries(files)) {
      const key = `${folder}/${path}`
      const model = own.get(key)
      if (model) {
        const onTheirWay = told.current.get(key) ?? []
        const back = onTheirWay.indexOf(text)
        onTheirWay.splice(0, back + 1)
        if (back >= 0 || model.getValue() === text) continue
        applying.current = true
        model.pushEditOperations([], [editTo(model, text)], () => null)
        applying.current = false
        continue
      }
      const made = createModel(folder, path, text)
      const onTheirWay: string[] = []
      told.current.set(key, onTheirWay)
      made.onDidChangeContent(() => {
        if (applying.current) return
        onTheirWay.push(made.getValue())
        tellChange(path, made.getValue())
      })
      own.set(key, made)
    }
    editor.current?.setModel(own.get(`${folder}/${active}`) ?? null)
    if (editor.current && last.current) showAgain(editor.current, active, last)
    editor.current?.updateOptions(optionsOfFile(active))
  }, [files, folder, active, isLive])

  useLiveModel(editor, active, { file: live, last })
  useEditorHelp(editor, props.help)
  useSessionNames(editor, props.namesAfter)
  useShownResults(editor, props.results)
  useShownProposed(editor, props.proposed)

  useEffect(() => {
    const readOnlyMessage = readOnlyWhy === undefined ? undefined : { value: readOnlyWhy }
    editor.current?.updateOptions({ readOnly, ariaLabel: label, ...(readOnlyMessage ? { readOnlyMessage } : {}) })
  }, [readOnly, readOnlyWhy, label])

  useEffect(() => {
    const current = editor.current
    const mine = marks?.filter(({ path }) => path === active) ?? []
    const model = current?.getModel()
    if (!current || !model) return undefined
    const inside = mine.filter(({ line }) => line >= 1 && line <= model.getLineCount())
    monaco.editor.setModelMarkers(
      model,
      'run',
      inside.map(({ line, column, message }) => ({
        severity: monaco.MarkerSeverity.Error,
        message,
        startLineNumber: line,
        endLineNumber: line,
        startColumn: column ?? model.getLineFirstNonWhitespaceColumn(line),
        endColumn: column === undefined ? model.getLineMaxColumn(line) : wordEnd(model, line, column),
      })),
    )
    const lines = current.createDecorationsCollection(
      inside.map(({ line }) => ({
        range: new monaco.Range(line, 1, line, 1),
        options: { isWholeLine: true, className: 'failed-line', linesDecorationsClassName: 'failed-line-mark' },
      })),
    )
    return () => {
      lines.clear()
      if (!model.isDisposed()) monaco.editor.setModelMarkers(model, 'run', [])
    }
  }, [marks, active, folder, files, live?.textId])

  useEffect(() => {
    if (!reveal || reveal.path !== active) return
    editor.current?.setPosition({ lineNumber: reveal.line, column: reveal.column ?? 1 })
    editor.current?.revealLineInCenterIfOutsideViewport(reveal.line)
    editor.current?.focus()
  }, [reveal, active])

  const goToStart = useEffectEvent(() => {
    if (!props.start) return
    const { line: lineNumber, column } = props.start
    editor.current?.setPosition({ lineNumber, column })
    editor.current?.revealLineInCenterIfOutsideViewport(lineNumber)
  })
  useEffect(() => goToStart(), [])

  useEffect(() => {
    if (autoFocus) editor.current?.focus()
  }, [autoFocus])

  return <div ref={frame} className="absolute inset-0" data-testid="monaco" />
}

function readSelected(editor: monaco.editor.IStandaloneCodeEditor): SelectedLines | undefined {
  const [model, selection] = [editor.getModel(), editor.getSelection()]
  if (!model || !selection || selection.isEmpty()) return undefined
  const { startLineNumber: from, endLineNumber, endColumn } = selection
  // one that ends before the first letter of a line does not have the line
  const to = endColumn === 1 ? endLineNumber - 1 : endLineNumber
  const whole = { startLineNumber: from, startColumn: 1, endLineNumber: to, endColumn: model.getLineMaxColumn(to) }
  return { from, to, text: model.getValueInRange(whole) }
}

/** What is selected, in whole lines, or the cell of the line. */
function readPart(editor: monaco.editor.IStandaloneCodeEditor): RunPart | undefined {
  const [model, selection] = [editor.getModel(), editor.getSelection()]
  if (!model || !selection) return undefined
  const selected = selection.isEmpty() ? undefined : { from: selection.startLineNumber, to: selection.endLineNumber }
  return partToRun(model.getValue(), selection.positionLineNumber, selected)
}

/** The one edit that makes a model this text: the cursor stays where it was in what both have. */
function editTo(model: Model, text: string) {
  const { at, remove, insert } = changeBetween(model.getValue(), text)
  const [start, end] = [model.getPositionAt(at), model.getPositionAt(at + remove)]
  return { range: monaco.Range.fromPositions(start, end), text: insert }
}

function wordEnd(model: Model, line: number, column: number): number {
  const word = model.getWordAtPosition({ lineNumber: line, column })
  return word ? word.endColumn : column + 1
}
