import { parentPort, workerData } from 'node:worker_threads'
import { ShadowDocument, type Known, type OneText, type Verdict } from './shadow-document.ts'

export type CheckRequest =
  | { type: 'load'; key: string; state: Uint8Array; only?: OneText | undefined }
  | { type: 'follow'; key: string; update: Uint8Array }
  | { type: 'drop'; key: string }
  | { type: 'check'; key: string; update: Uint8Array; known: Known }

/** `began` says that what comes now is the update's own work. */
export type CheckAnswer = 'began' | Verdict

const { budgetMs } = workerData as { budgetMs: number }
const shadows = new Map<string, ShadowDocument>()

parentPort?.on('message', (request: CheckRequest) => {
  const { type, key } = request
  if (type === 'load') shadows.set(key, new ShadowDocument(request.state, budgetMs, request.only))
  else if (type === 'drop') shadows.delete(key)
  else if (type === 'follow') shadows.get(key)?.follow(request.update)
  else parentPort?.postMessage(check(key, request.update, request.known) satisfies CheckAnswer)
})

// from here on a check takes as long as it takes, and no longer
parentPort?.postMessage('ready')

function check(key: string, update: Uint8Array, known: Known): Verdict {
  const shadow = shadows.get(key)
  if (!shadow) throw new Error('the document was not loaded')
  parentPort?.postMessage('began' satisfies CheckAnswer)
  const verdict = shadow.check(update, known)
  if (verdict.kind === 'refused' && verdict.isSpoiled) shadows.delete(key)
  return verdict
}
