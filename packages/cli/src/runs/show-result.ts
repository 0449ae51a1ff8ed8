import { isDeepStrictEqual } from 'node:util'
import type { Run } from '@coherex/contract'
import { showControls } from '../guest-text.ts'
import { toJson } from '../terminal.ts'

/** The result as its language writes it, for people; a program that reads it gets JSON, in the same words where they are JSON too (`1.0`). */
export function showResult({ result, resultText }: Pick<Run, 'result' | 'resultText'>, isForPeople: boolean): string {
  if (resultText !== undefined && (isForPeople || isJsonOf(resultText, result))) return showControls(resultText)
  return toJson(result, isForPeople ? 2 : undefined)
}

function isJsonOf(text: string, value: unknown): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value)
  } catch {
    return false
  }
}
