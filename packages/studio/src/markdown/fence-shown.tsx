import { readFence } from '@coherex/contract'
import { createContext, type ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'

export interface ShownFence {
  text: string
  /** What stands after its first mark. */
  words: string
  /** The part of a message that it is in; none in other texts. */
  part?: number | undefined
  /** The fences before it in the same text. */
  before: readonly Pick<ShownFence, 'text' | 'words'>[]
}

/** Shows fences: as code, or as something around the Markdown wants them. */
export const FenceShown = createContext(({ text, words }: ShownFence): ReactNode => (
  <CodeBlock text={text} {...readFence(words)} />
))
