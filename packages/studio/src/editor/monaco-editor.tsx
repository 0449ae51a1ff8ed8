import './monaco-editor.css'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { CodeEditorProps } from './code-editor.tsx'
import { followPageTheme, showEditorTheme } from './editor-theme.ts'
import { monaco } from './monaco.ts'

const languageOf: Record<string, string> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  sh: 'shell',
  bash: 'shell',
  sql: 'sql',
  R: 'r',
  r: 'r',
  jl: 'julia',
  rb: 'ruby',
  go: 'go',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  rs: 'rust',
  md: 'markdown',
  yml: 'yaml',
  yaml: 'yaml',
  // JSON is a kind of JavaScript to look at, and needs no worker of its own
  json: 'javascript',
}

type Model = monaco.editor.ITextModel

export function MonacoEditor(props: CodeEditorProps) {
  const { label, folder, files, active, onChange, readOnlyWhy, marks, reveal, autoFocus } = props
  const frame = useRef<HTMLDivElement>(null)
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined)
  const models = useRef(new Map<string, Model>())
  // texts on their way to the parent and back: what comes back late must not undo what was typed since
  const told = useRef(new Map<string, string[]>())
  const applying = useRef(false)
  const readOnly = onChange === undefined
  const tellChange = useEffectEvent((path: string, text: string) => props.onChange?.(path, text))
  const run = useEffectEvent(() => props.onRun?.())

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
      run: () => run(),
    })
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
        model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
        applying.current = false
        continue
      }
      const language = languageOf[path.split('.').at(-1) ?? ''] ?? 'plaintext'
      const uri = monaco.Uri.from({ scheme: 'file', path: `/${key}` })
      // a page that was left in a hurry may have left its model
      monaco.editor.getModel(uri)?.dispose()
      const made = monaco.editor.createModel(text, language, uri)
      made.updateOptions({
        tabSize: language === 'python' ? 4 : 2,
        insertSpaces: true,
        bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
      })
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
  }, [files, folder, active])

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
  }, [marks, active, folder, files])

  useEffect(() => {
    if (!reveal || reveal.path !== active) return
    editor.current?.setPosition({ lineNumber: reveal.line, column: reveal.column ?? 1 })
    editor.current?.revealLineInCenterIfOutsideViewport(reveal.line)
    editor.current?.focus()
  }, [reveal, active])

  useEffect(() => {
    if (autoFocus) editor.current?.focus()
  }, [autoFocus])

  return <div ref={frame} className="absolute inset-0" data-testid="monaco" />
}

function wordEnd(model: Model, line: number, column: number): number {
  const word = model.getWordAtPosition({ lineNumber: line, column })
  return word ? word.endColumn : column + 1
}
