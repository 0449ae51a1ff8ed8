import { toast } from '../../ui/toast/toast.ts'
import { monaco } from '../monaco.ts'
import { formatsOnSave } from './format-on-save.ts'
import { onFormatRequest } from './format-requests.ts'
import { formatterOf } from './formatter-of.ts'

type Editor = monaco.editor.IStandaloneCodeEditor

const languages = ['javascript', 'typescript', 'json', 'css', 'html', 'markdown', 'yaml', 'python']

/** Formats texts of all languages that have a formatter. What formats comes with the first text. */
export function registerFormatting(): void {
  for (const language of languages) {
    monaco.languages.registerDocumentFormattingEditProvider(language, {
      displayName: 'Coherex',
      async provideDocumentFormattingEdits(model) {
        const path = model.uri.path
        const formatter = formatterOf(path)
        if (!formatter) return []
        try {
          const { formatText } = await import('./format-text.ts')
          const text = await formatText(formatter, model.getValue())
          // the editor changes only the lines that differ, and nothing where someone typed meanwhile
          return [{ range: model.getFullModelRange(), text }]
        } catch (error) {
          const [first = ''] = (error as Error).message.split('\n')
          const title = `Cannot format ${path.split('/').at(-1)}`
          toast({ title, description: first, tone: 'error' })
          return []
        }
      },
    })
  }
}

/** Keys that format the text of an editor, and the palette's request for it. */
export function addFormatActions(editor: Editor, place: string): () => void {
  const { Shift, Alt, CtrlCmd } = monaco.KeyMod
  const format = () => {
    if (formatterOf(place)) void editor.getAction('editor.action.formatDocument')?.run()
  }
  const actions = [
    editor.addAction({
      id: 'coherex.format',
      label: 'Format',
      precondition: '!editorReadonly',
      keybindings: [Shift | Alt | monaco.KeyCode.KeyF],
      run: format,
    }),
    editor.addAction({
      id: 'coherex.save',
      label: 'Save',
      keybindings: [CtrlCmd | monaco.KeyCode.KeyS],
      // all that is typed is stored already
      run: () => void (formatsOnSave() && format()),
    }),
  ]
  const stop = onFormatRequest(place, format)
  return () => {
    stop()
    for (const action of actions) action.dispose()
  }
}
