import { languageFacts, type AgentNeed, type DefinitionProblem } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { parse } from 'yaml'
import { call } from '../../data/query/call.ts'
import type { LiveWorkspace } from '../../live/live-workspace.ts'
import { monaco } from '../monaco.ts'
import { definitionIn, type DefinitionPart } from './definition-in.ts'
import { schemaOf } from './definition-schemas.ts'
import { helpJson } from './help-json.ts'

type Model = monaco.editor.ITextModel
type Severity = 'Error' | 'Warning' | 'Info'
interface Found extends Omit<DefinitionProblem, 'path'> {
  severity: Severity
}

const settleMs = 300
const owner = 'definition'

/** Has the server check a definition in a workspace while it is shown, after each change. */
export function checkDefinition(workspace: LiveWorkspace, path: string, model: Model): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const look = async () => {
    const version = model.getVersionId()
    const part = definitionIn(path, model.getValue())
    if (path.endsWith('.json'))
      helpJson(model.uri.toString(), part && (await schemaOf(part.kind).catch(() => undefined)))
    // a server that is away says nothing: what was found stays until it is back
    const found = part ? await check(workspace, path, model.getValue(), part).catch(() => undefined) : []
    if (isOver || !found || model.isDisposed() || model.getVersionId() !== version) return
    monaco.editor.setModelMarkers(
      model,
      owner,
      found.map((one) => toMarker(model, one)),
    )
  }
  const changed = model.onDidChangeContent(() => {
    clearTimeout(timer)
    timer = setTimeout(() => void look(), settleMs)
  })
  void look()
  return () => {
    isOver = true
    clearTimeout(timer)
    changed.dispose()
    helpJson(model.uri.toString(), undefined)
    if (!model.isDisposed()) monaco.editor.setModelMarkers(model, owner, [])
  }
}

async function check(workspace: LiveWorkspace, path: string, text: string, { kind }: DefinitionPart): Promise<Found[]> {
  const as = (severity: Severity, problems: readonly (DefinitionProblem & { file?: string })[]) =>
    problems.map(({ path: field, file, message, ...rest }): Found => {
      const subject = file !== undefined && !path.endsWith(file) ? file : field
      return { severity, message: [subject, message].filter(Boolean).join(' '), ...rest }
    })
  if (kind === 'agent') {
    const { problems, needs } = await call(routes.agents.validate, { body: { source: text } })
    return [...as('Error', problems), ...needs.map((need) => toFound(need, text))]
  }
  const folder = path.split('/').slice(0, -1)
  if (kind === 'tool') {
    const entry = entryOf(text)
    const isThere = entry !== undefined && workspace.textAt([...folder, entry].join('/')) !== undefined
    const files = { 'tool.yaml': text, ...(isThere && { [entry]: '' }) }
    const { problems } = await call(routes.tools.validate, { body: { files } })
    return as('Error', problems)
  }
  const named = folder.at(-1)
  const body = { files: { 'SKILL.md': text }, ...(named !== undefined && { folder: named }) }
  const { problems, warnings } = await call(routes.skills.validate, { body })
  return [...as('Error', problems), ...as('Warning', warnings)]
}

/** The file that a tool runs; undefined where its definition does not say. */
function entryOf(text: string): string | undefined {
  try {
    const { entry, language } = parse(text) as { entry?: unknown; language?: keyof typeof languageFacts }
    return typeof entry === 'string' ? entry : language && languageFacts[language]?.entry
  } catch {
    return undefined
  }
}

/** What an agent still lacks is said where it is named. */
function toFound({ name, message }: AgentNeed, text: string): Found {
  const lines = text.split('\n')
  const at = Math.max(
    0,
    lines.findIndex((line) => line.includes(name)),
  )
  return { severity: 'Info', message, line: at + 1, column: Math.max(0, lines[at]?.indexOf(name) ?? 0) + 1 }
}

function toMarker(model: Model, { severity, message, hint, line = 1, column }: Found): monaco.editor.IMarkerData {
  const lineNumber = Math.min(Math.max(line, 1), model.getLineCount())
  const start = column ?? Math.max(1, model.getLineFirstNonWhitespaceColumn(lineNumber))
  const word = model.getWordAtPosition({ lineNumber, column: start })
  return {
    severity: monaco.MarkerSeverity[severity],
    message: [message, hint].filter(Boolean).join('. '),
    ...{ startLineNumber: lineNumber, endLineNumber: lineNumber, startColumn: start },
    endColumn: Math.max(word?.endColumn ?? model.getLineMaxColumn(lineNumber), start + 1),
    source: 'Definition',
  }
}
