import { languages, type Language } from '@coherex/contract'
import { useRef, useState } from 'react'
import { readOwn, writeOwn } from '../../ui/state/stored.ts'
import { readDraft, writeDraft, type ScratchDraft } from './scratch-draft.ts'

/** The scratch of one language at a time; each keeps its own draft over reloads. */
export function useScratch() {
  const [language, setLanguage] = useState<Language>(
    () => languages.find((one) => one === readOwn('scratch.language')) ?? 'python',
  )
  const [draft, setDraft] = useState(() => readDraft(language))
  // whoever types and runs in one breath runs what was typed, drawn or not
  const latest = useRef({ language, draft })

  function show(nextLanguage: Language, next: ScratchDraft) {
    writeOwn('scratch.language', nextLanguage)
    latest.current = { language: nextLanguage, draft: next }
    setLanguage(nextLanguage)
    setDraft(next)
  }
  function change(part: Partial<ScratchDraft>) {
    const { language: of, draft: before } = latest.current
    const next = { ...before, ...part }
    latest.current = { language: of, draft: next }
    writeDraft(of, next)
    setDraft(next)
  }
  const changeFile = (path: string, text: string) => change({ files: { ...latest.current.draft.files, [path]: text } })
  return {
    language,
    draft,
    change,
    latestDraft: () => latest.current.draft,
    changeFile,
    /** Puts back what was taken out of a draft: another language may be shown by now. */
    putBack(of: Language, part: (draft: ScratchDraft) => Partial<ScratchDraft>) {
      if (of === latest.current.language) return change(part(latest.current.draft))
      const away = readDraft(of)
      writeDraft(of, { ...away, ...part(away) })
    },
    pickLanguage: (next: Language) => show(next, readDraft(next)),
    /** Another program, maybe in another language. Answers what was there before. */
    replace(nextLanguage: Language, next: ScratchDraft): ScratchDraft {
      const before = readDraft(nextLanguage)
      writeDraft(nextLanguage, next)
      show(nextLanguage, next)
      return before
    },
  }
}
