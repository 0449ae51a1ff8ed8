import 'katex/dist/katex.min.css'
import './formula.css'
import { pause } from '@coherex/contract'
import katex, { type KatexOptions } from 'katex'
import { findProblem } from './find-problem.ts'

interface FormulaRequest {
  source: string
  isDisplay: boolean
  signal: AbortSignal
}

/** What a formula may: no links, no images, no styles, nothing huge. */
export const formulaOptions: KatexOptions = {
  strict: 'ignore',
  // refused aloud: what would be left of such a formula is not what was written
  trust({ command }) {
    throw new Error(`${command} is not allowed`)
  },
  maxSize: 20,
  maxExpand: 1_000,
}

const sliceMs = 10
let queue: Promise<unknown> = Promise.resolve()
let begun = 0

/** Draws a formula where it belongs, after those before it. Says what is wrong with one that cannot be drawn. */
export function drawFormula(
  frame: { readonly current: HTMLElement | null },
  { source, isDisplay, signal }: FormulaRequest,
): Promise<string | undefined> {
  const drawn = queue.then(async () => {
    // an answer can hold hundreds, and the page is used meanwhile
    if (performance.now() - begun > sliceMs) {
      await pause(0, signal)
      begun = performance.now()
    }
    if (!frame.current || signal.aborted) return undefined
    return draw(frame.current, source, isDisplay)
  })
  queue = drawn
  return drawn
}

function draw(frame: HTMLElement, source: string, isDisplay: boolean): string | undefined {
  const problem = findProblem(source)
  if (problem !== undefined) return problem
  try {
    katex.render(source, frame, { ...formulaOptions, displayMode: isDisplay })
    return undefined
  } catch (error) {
    frame.replaceChildren()
    return (error as Error).message.replace(/^KaTeX parse error: /, '')
  }
}
