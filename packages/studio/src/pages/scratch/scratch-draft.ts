import { languageFacts, type GivenFile, type Language } from '@coherex/contract'
import { noOptions, sameOptions, type TypedOptions } from '../../cell/options/typed-options.ts'
import { readOwn, writeOwn } from '../../ui/state/stored.ts'
import { examples, optionsOf, type Example } from './examples.ts'

/** What is typed for one language. */
export interface ScratchDraft {
  entry: string
  files: Record<string, string>
  /** Files of a run that was, which are no text: sent again as they are. */
  binary?: Record<string, GivenFile>
  options: TypedOptions
}

// a draft is forgotten with the others when another person signs in
const keyOf = (language: Language) => `draft.scratch.${language}`

export function readDraft(language: Language): ScratchDraft {
  try {
    const stored: unknown = JSON.parse(readOwn(keyOf(language)) ?? 'null')
    if (isDraft(stored)) return { ...stored, options: { ...noOptions, ...stored.options } }
  } catch {
    // what cannot be read is worth nothing
  }
  return startOf(language)
}

export function writeDraft(language: Language, draft: ScratchDraft): void {
  const [first] = examples[language]
  writeOwn(keyOf(language), first && isExample(draft, first) ? undefined : JSON.stringify(draft))
}

/** Whether nothing would be lost if it were replaced: an example as it was, or nothing. */
export function isUntouched(language: Language, draft: ScratchDraft): boolean {
  return [{ code: '' }, ...examples[language]].some((example) => isExample(draft, example))
}

/** Whether all that is in it, beside white space, is the example with the options it brings. */
function isExample({ entry, files, binary = {}, options }: ScratchDraft, example: Pick<Example, 'code' | 'options'>) {
  if (Object.keys(files).length > 1 || Object.keys(binary).length > 0) return false
  return files[entry]?.trim() === example.code.trim() && sameOptions(options, optionsOf(example))
}

function startOf(language: Language): ScratchDraft {
  const entry = languageFacts[language].entry
  const [example] = examples[language]
  return { entry, files: { [entry]: example?.code ?? '' }, options: example ? optionsOf(example) : noOptions }
}

function isDraft(value: unknown): value is ScratchDraft {
  const draft = value as Partial<ScratchDraft> | null
  return (
    typeof draft?.entry === 'string' &&
    typeof draft.files === 'object' &&
    typeof draft.files[draft.entry] === 'string' &&
    typeof draft.options === 'object'
  )
}
