import { languages, type Language } from '@coherex/contract'
import { useState } from 'react'
import { readStored, writeStored } from '../../shell/stored.ts'
import { readDraft, writeDraft, type ScratchDraft } from './scratch-draft.ts'

/** The scratch of one language at a time; each keeps its own draft over reloads. */
export function useScratch() {
  const [language, setLanguage] = useState<Language>(
    () => languages.find((one) => one === readStored('scratch.language')) ?? 'python',
  )
  const [draft, setDraft] = useState(() => readDraft(language))

  function pickLanguage(next: Language) {
    writeStored('scratch.language', next)
    setLanguage(next)
    setDraft(readDraft(next))
  }
  function change(part: Partial<ScratchDraft>) {
    setDraft((before) => {
      const next = { ...before, ...part }
      writeDraft(language, next)
      return next
    })
  }
  function changeFile(path: string, text: string) {
    setDraft((before) => {
      const next = { ...before, files: { ...before.files, [path]: text } }
      writeDraft(language, next)
      return next
    })
  }
  /** Another program, maybe in another language. Answers what was there before. */
  function replace(nextLanguage: Language, next: ScratchDraft): ScratchDraft {
    const before = readDraft(nextLanguage)
    writeDraft(nextLanguage, next)
    writeStored('scratch.language', nextLanguage)
    setLanguage(nextLanguage)
    setDraft(next)
    return before
  }
  return { language, draft, pickLanguage, change, changeFile, replace }
}
