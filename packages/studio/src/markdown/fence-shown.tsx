import { readFence } from '@coherex/contract'
import { createContext, type ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'

export interface ShownFence {
  text: string
  /** What stands after its first mark. */
  words: string
}

/** Shows fences: as code, or as something around the Markdown wants them. */
export const FenceShown = createContext(({ text, words }: ShownFence): ReactNode => (
  <CodeBlock text={text} {...readFence(words)} />
))
