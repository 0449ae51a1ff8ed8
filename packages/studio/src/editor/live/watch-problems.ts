import { monaco } from '../monaco.ts'
import { tellProblems, type Problem } from '../problems.ts'

const most = 500

/** Tells what is wrong in the files of a folder, from now on. */
export function watchProblems(folder: string): () => void {
  const start = `/${folder}/`
  const look = () => {
    const found = monaco.editor
      .getModelMarkers({})
      .filter(({ resource, severity }) => resource.path.startsWith(start) && severity >= monaco.MarkerSeverity.Warning)
      .slice(0, most)
      .map(({ resource, severity, startLineNumber, startColumn, message }): Problem => ({
        path: resource.path.slice(start.length),
        line: startLineNumber,
        column: startColumn,
        severity: severity === monaco.MarkerSeverity.Error ? 'error' : 'warning',
        message,
      }))
    tellProblems(folder, found)
  }
  const listener = monaco.editor.onDidChangeMarkers(look)
  look()
  return () => {
    listener.dispose()
    tellProblems(folder, [])
  }
}
