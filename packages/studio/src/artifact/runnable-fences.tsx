import { kindOfFence, readFence, readMarks, type Language } from '@coherex/contract'
import { Play, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { CodeBlock, CodeText } from '../markdown/code-block.tsx'
import { FenceShown, type ShownFence } from '../markdown/fence-shown.tsx'
import { languageNames, statusWord } from '../output/run-words.ts'
import { whyNotInBrowser } from '../runtimes/browser-languages.ts'
import { Button } from '../ui/button.tsx'
import { StatusPill } from '../ui/pill.tsx'
import { CopyButton } from '../ui/text/copy-button.tsx'
import { SharedOutput } from './shares/shared-output.tsx'
import { useBrowserRun } from './use-browser-run.ts'

/** Makes fences of a text outside of conversations things to run: in this browser, and nothing of it is kept. */
export function RunnableFences({ children }: { children: ReactNode }) {
  return <FenceShown value={showFence}>{children}</FenceShown>
}

const showFence = ({ text, words }: ShownFence) => {
  const { title, language } = readMarks(words)
  const found = kindOfFence(language)
  if (found?.kind !== 'code' || whyNotInBrowser(found.language) !== undefined)
    return <CodeBlock text={text} {...readFence(words)} />
  return <RunnableFence code={text} language={found.language} title={title} />
}

function RunnableFence({ code, language, title }: { code: string; language: string; title: string | null }) {
  const browser = useBrowserRun('text', language)
  const name = languageNames[language as Language]
  const run = browser.shown?.run
  const isBusy = run?.status === 'loading' || run?.status === 'running'
  return (
    <section
      aria-label={`Block: ${title ?? name}`}
      className="overflow-clip rounded-md border border-line bg-surface text-text"
    >
      <header className="flex min-h-8 items-center gap-2 border-b border-line bg-sunken px-2 py-1 text-small">
        {isBusy ? (
          <Button look="danger-quiet" size="small" icon={<Square aria-hidden />} onClick={browser.stop}>
            Stop
          </Button>
        ) : (
          <Button size="small" icon={<Play aria-hidden />} onClick={() => void browser.start(code)}>
            Run
          </Button>
        )}
        <span className="min-w-0 truncate font-medium">{title ?? name}</span>
        <span className="ml-auto flex items-center gap-1.5">
          {run && <StatusPill status={statusWord(run)} />}
          <CopyButton text={code} label="Copy code" />
        </span>
      </header>
      <CodeText text={code} language={language} label={`Code of ${title ?? name}`} />
      {browser.shown && <SharedOutput {...browser.shown} />}
    </section>
  )
}
