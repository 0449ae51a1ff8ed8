import type { Completion, LanguageProblem, TextRange } from '@coherex/contract'
import { getState } from 'yjs'
import type { LiveWorkspace } from '../../live/live-workspace.ts'
import { monaco } from '../monaco.ts'
import { PythonLine } from './python-line.ts'

type Model = monaco.editor.ITextModel

const lines = new Map<string, { line: PythonLine; workspace: LiveWorkspace }>()
const ownPath = /^\/workspaces\/([^/]+)\/(.+)$/
let isRegistered = false

/** Has the language server of a workspace follow a Python file for as long as it is shown. */
export function followPython(workspace: LiveWorkspace, path: string): () => void {
  if (!/\.pyi?$/.test(path)) return () => {}
  if (!isRegistered) registerProviders()
  isRegistered = true
  return lineOf(workspace).open(path)
}

function lineOf(workspace: LiveWorkspace): PythonLine {
  const known = lines.get(workspace.id)
  if (known?.workspace === workspace) return known.line
  known?.line.close()
  const line = new PythonLine({
    workspaceId: workspace.id,
    onProblems: (path, problems) => showProblems(workspace.id, path, problems),
  })
  lines.set(workspace.id, { line, workspace })
  workspace.doc.on('destroy', () => {
    line.close()
    if (lines.get(workspace.id)?.line === line) lines.delete(workspace.id)
  })
  return line
}

function showProblems(workspaceId: string, path: string, problems: LanguageProblem[]): void {
  const model = monaco.editor.getModel(uriOf(workspaceId, path))
  if (!model) return
  const markers = problems.map(({ range, severity, message, code, tags }) => ({
    ...toRange(range),
    severity: severities[severity],
    message,
    ...(code !== undefined && { code }),
    tags: (tags ?? []).map((tag) =>
      tag === 'unnecessary' ? monaco.MarkerTag.Unnecessary : monaco.MarkerTag.Deprecated,
    ),
    source: 'Python',
  }))
  monaco.editor.setModelMarkers(model, 'python', markers)
}

/** Which line answers for a place of a file, and what it is asked. */
function askerOf(model: Model, position: monaco.IPosition, typed?: string) {
  const [, workspaceId = '', path = ''] = ownPath.exec(model.uri.path) ?? []
  const known = lines.get(workspaceId)
  if (!known) return undefined
  const { doc } = known.workspace
  const wrote = { client: doc.clientID, clock: getState(doc.store, doc.clientID) }
  const place = { path, line: position.lineNumber, column: position.column, typed, wrote }
  return { line: known.line, workspaceId, place }
}

interface PythonItem extends monaco.languages.CompletionItem {
  more: { line: PythonLine; of: number; index: number }
}

function registerProviders(): void {
  monaco.languages.registerCompletionItemProvider('python', {
    triggerCharacters: ['.', '[', '"', "'"],
    async provideCompletionItems(model, position, context, token) {
      const asker = askerOf(model, position, context.triggerCharacter)
      if (!asker) return undefined
      const { line } = asker
      const asking = line.ask('completion', asker.place, signalOf(token))
      const of = line.last
      const found = await asking
      const word = model.getWordUntilPosition(position)
      const { lineNumber } = position
      const around = new monaco.Range(lineNumber, word.startColumn, lineNumber, position.column)
      const suggestions = (found?.items ?? []).map((item, index): PythonItem => ({
        ...toSuggestion(item, around),
        more: { line, of, index },
      }))
      return { suggestions, incomplete: found?.isIncomplete ?? false }
    },
    async resolveCompletionItem(item, token) {
      const { line, of, index } = (item as PythonItem).more
      const found = await line.describe(of, index, signalOf(token))
      if (!found) return item
      return {
        ...item,
        documentation: { value: found.markdown },
        ...(found.edits && { additionalTextEdits: found.edits.map(toEdit) }),
      }
    },
  })
  monaco.languages.registerHoverProvider('python', {
    async provideHover(model, position, token) {
      const asker = askerOf(model, position)
      const found = await asker?.line.ask('hover', asker.place, signalOf(token))
      return found
        ? { contents: [{ value: found.markdown }], ...(found.range && { range: toRange(found.range) }) }
        : null
    },
  })
  monaco.languages.registerSignatureHelpProvider('python', {
    signatureHelpTriggerCharacters: ['(', ','],
    signatureHelpRetriggerCharacters: [')'],
    async provideSignatureHelp(model, position, token, context) {
      const asker = askerOf(model, position, context.triggerCharacter)
      const found = await asker?.line.ask('signature', asker.place, signalOf(token))
      if (!found) return null
      const signatures = found.signatures.map(({ label, markdown, parameters }) => ({
        label,
        documentation: { value: markdown },
        parameters: parameters.map((one) => ({ label: one.label, documentation: { value: one.markdown } })),
      }))
      const value = { signatures, activeSignature: found.active, activeParameter: found.activeParameter }
      return { value, dispose: () => {} }
    },
  })
  monaco.languages.registerDefinitionProvider('python', {
    async provideDefinition(model, position, token) {
      const asker = askerOf(model, position)
      const found = await asker?.line.ask('definition', asker.place, signalOf(token))
      return (found ?? []).map(({ path, range }) => ({
        uri: uriOf(asker?.workspaceId ?? '', path),
        range: toRange(range),
      }))
    },
  })
}

function toSuggestion(item: Completion, around: monaco.IRange): monaco.languages.CompletionItem {
  return {
    label: item.detail === undefined ? item.label : { label: item.label, description: item.detail },
    kind: kinds[item.kind] ?? monaco.languages.CompletionItemKind.Text,
    insertText: item.insert,
    range: item.range ? toRange(item.range) : around,
    ...(item.sort !== undefined && { sortText: item.sort }),
    ...(item.filter !== undefined && { filterText: item.filter }),
    ...(item.isDeprecated && { tags: [monaco.languages.CompletionItemTag.Deprecated] }),
    ...(item.edits && { additionalTextEdits: item.edits.map(toEdit) }),
  }
}

const toEdit = ({ range, text }: { range: TextRange; text: string }) => ({ range: toRange(range), text })

function toRange({ start, end }: TextRange): monaco.IRange {
  return {
    ...{ startLineNumber: start.line, startColumn: start.column },
    ...{ endLineNumber: end.line, endColumn: end.column },
  }
}

function uriOf(workspaceId: string, path: string): monaco.Uri {
  return monaco.Uri.from({ scheme: 'file', path: `/workspaces/${workspaceId}/${path}` })
}

function signalOf(token: monaco.CancellationToken): AbortSignal {
  const stop = new AbortController()
  if (token.isCancellationRequested) stop.abort()
  else token.onCancellationRequested(() => stop.abort())
  return stop.signal
}

const severities = {
  error: monaco.MarkerSeverity.Error,
  warning: monaco.MarkerSeverity.Warning,
  info: monaco.MarkerSeverity.Info,
  hint: monaco.MarkerSeverity.Hint,
}

const Kind = monaco.languages.CompletionItemKind
const kinds: Record<string, monaco.languages.CompletionItemKind> = {
  method: Kind.Method,
  function: Kind.Function,
  constructor: Kind.Constructor,
  field: Kind.Field,
  variable: Kind.Variable,
  class: Kind.Class,
  interface: Kind.Interface,
  module: Kind.Module,
  property: Kind.Property,
  value: Kind.Value,
  enum: Kind.Enum,
  keyword: Kind.Keyword,
  file: Kind.File,
  folder: Kind.Folder,
  'enum-member': Kind.EnumMember,
  constant: Kind.Constant,
  struct: Kind.Struct,
  operator: Kind.Operator,
  'type-parameter': Kind.TypeParameter,
}
