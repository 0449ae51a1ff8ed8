// what TypeScript brings along once it is loaded asks for these, and only those that are there before the first editor are found
import 'monaco-editor/editor/common/services/treeViewsDndService'
import 'monaco-editor/editor/contrib/codelens/browser/codeLensCache'
// features/suggest and features/caretOperations register only a part of theirs
import 'monaco-editor/editor/contrib/caretOperations/browser/caretOperations'
import 'monaco-editor/editor/contrib/suggest/browser/suggestController'
import 'monaco-editor/features/bracketMatching/register'
import 'monaco-editor/features/caretOperations/register'
import 'monaco-editor/features/clipboard/register'
import 'monaco-editor/features/codicon/register'
import 'monaco-editor/features/comment/register'
import 'monaco-editor/features/contextmenu/register'
import 'monaco-editor/features/cursorUndo/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/folding/register'
import 'monaco-editor/features/format/register'
import 'monaco-editor/features/gotoError/register'
import 'monaco-editor/features/gotoLine/register'
import 'monaco-editor/features/gotoSymbol/register'
import 'monaco-editor/features/hover/register'
import 'monaco-editor/features/indentation/register'
import 'monaco-editor/features/inlineCompletions/register'
import 'monaco-editor/features/lineSelection/register'
import 'monaco-editor/features/linesOperations/register'
import 'monaco-editor/features/longLinesHelper/register'
import 'monaco-editor/features/multicursor/register'
import 'monaco-editor/features/parameterHints/register'
import 'monaco-editor/features/quickCommand/register'
import 'monaco-editor/features/readOnlyMessage/register'
import 'monaco-editor/features/rename/register'
import 'monaco-editor/features/smartSelect/register'
import 'monaco-editor/features/snippet/register'
import 'monaco-editor/features/suggest/register'
import 'monaco-editor/features/toggleTabFocusMode/register'
import 'monaco-editor/features/tokenization/register'
import 'monaco-editor/features/unicodeHighlighter/register'
import 'monaco-editor/features/wordHighlighter/register'
import 'monaco-editor/features/wordOperations/register'
import 'monaco-editor/languages/definitions/cpp/register'
import 'monaco-editor/languages/definitions/css/register'
import 'monaco-editor/languages/definitions/go/register'
import 'monaco-editor/languages/definitions/html/register'
import 'monaco-editor/languages/definitions/javascript/register'
import 'monaco-editor/languages/definitions/julia/register'
import 'monaco-editor/languages/definitions/markdown/register'
import 'monaco-editor/languages/definitions/python/register'
import 'monaco-editor/languages/definitions/r/register'
import 'monaco-editor/languages/definitions/ruby/register'
import 'monaco-editor/languages/definitions/rust/register'
import 'monaco-editor/languages/definitions/shell/register'
import 'monaco-editor/languages/definitions/sql/register'
import 'monaco-editor/languages/definitions/typescript/register'
import 'monaco-editor/languages/definitions/yaml/register'
import * as monaco from 'monaco-editor/editor/editor.api'
// oxlint-disable-next-line import/default -- the bundler makes it, from the query
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
// oxlint-disable-next-line import/default -- as above
import JsonWorker from 'monaco-editor/languages/features/json/json.worker?worker'
import { jsonDefaults } from 'monaco-editor/languages/features/json/register'
import { javascriptDefaults, typescriptDefaults } from 'monaco-editor/languages/features/typescript/register'
// oxlint-disable-next-line import/default -- as above
import TypeScriptWorker from 'monaco-editor/languages/features/typescript/ts.worker?worker'
import guestGlobals from './guest-globals.txt?raw'
import { openPlace } from './open-place.ts'

self.MonacoEnvironment = {
  getWorker(_id, label) {
    if (label === 'json') return new JsonWorker()
    return label === 'typescript' || label === 'javascript' ? new TypeScriptWorker() : new EditorWorker()
  },
}

// schemas of files come from nowhere else
jsonDefaults.setDiagnosticsOptions({ validate: true, allowComments: true, enableSchemaRequest: false })

jsonDefaults.setModeConfiguration({
  ...jsonDefaults.modeConfiguration,
  documentFormattingEdits: false,
  documentRangeFormattingEdits: false,
})

// what the sandbox decides and the editor cannot know: where imports come from, and that await stands anywhere
const unknowable = [1375, 1378, 2306, 2307, 2580, 2792, 5097, 7016]

for (const defaults of [typescriptDefaults, javascriptDefaults]) {
  defaults.setCompilerOptions({
    target: 99,
    module: 99,
    moduleResolution: 2,
    moduleDetection: 3,
    allowJs: true,
    allowNonTsExtensions: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    noImplicitAny: false,
    // by file name: by its short name the editor would read a library as JavaScript
    lib: ['lib.esnext.d.ts', 'lib.webworker.d.ts'],
  })
  defaults.setDiagnosticsOptions({
    noSemanticValidation: defaults === javascriptDefaults,
    diagnosticCodesToIgnore: unknowable,
  })
  // texts are formatted by one formatter, here and elsewhere
  defaults.setModeConfiguration({ ...defaults.modeConfiguration, documentRangeFormattingEdits: false })
  // files that are not open are imported all the same
  defaults.setEagerModelSync(true)
  defaults.addExtraLib(guestGlobals, 'file:///coherex.d.ts')
}

// what reads YAML comes with the first text that may have some
let hasDefinitions = false
for (const language of ['yaml', 'markdown']) {
  monaco.languages.onLanguage(language, () => {
    if (hasDefinitions) return
    hasDefinitions = true
    void import('./definitions/definition-providers.ts').then(({ registerDefinitions }) => registerDefinitions())
  })
}

// a definition in another file of the workspace is shown by the page
monaco.editor.registerEditorOpener({
  openCodeEditor(_source, { path }, at) {
    const [, folder, file] = /^\/(workspaces\/[^/]+)\/(.+)$/.exec(path) ?? []
    const line = !at ? 1 : 'lineNumber' in at ? at.lineNumber : at.startLineNumber
    return folder !== undefined && file !== undefined && openPlace(folder, { path: file, line })
  },
})

export { monaco }
