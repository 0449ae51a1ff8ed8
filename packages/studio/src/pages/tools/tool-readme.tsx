import type { ToolFiles } from '@coherex/contract'
import { BookOpen } from 'lucide-react'
import { RunnableFences } from '../../artifact/runnable-fences.tsx'
import { Markdown } from '../../markdown/markdown.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'

interface ToolReadmeProps {
  files: ToolFiles
  /** Left out for who may not change the tool. */
  onWrite: (() => void) | undefined
}

/** What README.md of a tool says, with what was typed since the last version. */
export function ToolReadme({ files, onWrite }: ToolReadmeProps) {
  const path = Object.keys(files).find((one) => one.toLowerCase() === 'readme.md')
  const text = path === undefined ? undefined : files[path]
  if (typeof text !== 'string' || text.trim() === '') {
    return (
      <Empty
        icon={BookOpen}
        title="No readme yet"
        action={onWrite && <Button onClick={onWrite}>Write README.md</Button>}
      >
        Say when to use the tool, with an example. It is a file of the tool and part of each version.
      </Empty>
    )
  }
  return (
    <article aria-label="Readme" className="max-w-180 overflow-y-auto p-5">
      <RunnableFences>
        <Markdown text={text} />
      </RunnableFences>
    </article>
  )
}
