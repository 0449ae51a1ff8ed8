import { languages, type Language, type LanguageStatus, type WorkspaceFile } from '@coherex/contract'
import { BookOpen } from 'lucide-react'
import { useEffect } from 'react'
import { LanguageField } from '../../cell/cell-controls.tsx'
import type { TypedOptions } from '../../cell/options/typed-options.ts'
import { useFilesChange } from '../../data/file.ts'
import { useLanguageList } from '../../data/run/language-list.ts'
import { useVersionsUndo } from '../../data/version.ts'
import type { LiveWorkspace } from '../../live/live-workspace.ts'
import { languageNames } from '../../output/run-words.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { writeOwn } from '../../ui/state/stored.ts'
import { toast } from '../../ui/toast/toast.ts'
import { examples, isExample, optionsOf, type Example } from './examples.ts'
import { lastFileKey } from './open-scratch.ts'
import { entryOf, languageAt, optionsFor } from './program-place.ts'
import { contentOf } from './taken-drafts.ts'

interface ScratchBarProps {
  id: string
  files: readonly WorkspaceFile[]
  /** The file in sight. */
  path: string | undefined
  optionsOfFile: (path: string) => TypedOptions
  onOptions: (path: string, options: TypedOptions) => void
  live: LiveWorkspace | undefined
  onOpen: (path: string) => void
}

/** A language to write in, and examples of it. Each language has a program of its own. */
export function ScratchBar({ id, files, path, optionsOfFile, onOptions, live, onOpen }: ScratchBarProps) {
  const available = useLanguageList().data?.items
  const change = useFilesChange()
  const undo = useVersionsUndo()
  const language = (path === undefined ? undefined : languageAt(path, optionsOfFile(path))) ?? 'python'
  useEffect(() => {
    if (path !== undefined) writeOwn(lastFileKey, path)
  }, [path])

  async function write(into: Language, at: string, example: Example) {
    // what was typed a moment ago is in the version before: it is what Undo brings back
    await live?.stored()
    const before = live?.textAt(at)?.text.toString()
    const content = contentOf(into, example.code)
    const file = typeof content === 'string' ? { text: content } : content
    const body = { write: [{ path: at, ...file }], message: `The example "${example.name}"` }
    change.mutate(
      { params: { id }, body },
      {
        onSuccess({ version }) {
          onOptions(at, optionsFor(into, optionsOf(example)))
          onOpen(at)
          if (before === undefined || isExample(into, before)) return
          const versions = [version]
          toast({
            title: `The example replaced ${at}`,
            tone: 'info',
            action: { label: 'Undo', run: () => undo.mutate({ params: { id }, body: { versions } }) },
          })
        },
        onError: (error) => toast({ title: 'Could not write the example', description: error.message, tone: 'error' }),
      },
    )
  }
  function pickLanguage(next: Language) {
    const at = entryOf(next)
    const [example] = examples[next]
    const isThere = files.some((file) => file.path === at)
    if (isThere || !example) onOpen(at)
    else void write(next, at, example)
  }
  const entry = path !== undefined && languageAt(path, optionsOfFile(path)) === language ? path : entryOf(language)
  return (
    <>
      <LanguageField
        size="small"
        language={language}
        choices={languages
          .filter((value) => value === language || isAvailable(value, available))
          .map((value) => ({ value, label: languageNames[value] }))}
        onChange={pickLanguage}
      />
      <Menu
        align="start"
        trigger={
          <Button look="quiet" size="small" icon={<BookOpen aria-hidden />} busy={change.isPending}>
            Examples
          </Button>
        }
      >
        {examples[language].map((example) => (
          <MenuItem key={example.name} hint={example.hint} onSelect={() => void write(language, entry, example)}>
            {example.name}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

/** Those that are not installed are told in the settings, to whoever can change that. */
function isAvailable(value: Language, known: readonly LanguageStatus[] | undefined): boolean {
  return known?.find(({ language }) => language === value)?.available ?? true
}
