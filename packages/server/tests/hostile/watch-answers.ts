import { setTimeout as delay } from 'node:timers/promises'

export interface AnswersWatch {
  /** Since the last look: how often the server was asked how it is, and how often it gave no answer. */
  look(): { asked: number; failures: number }
  stop(): Promise<void>
}

/** Asks a server how it is, again and again, as someone who has nothing to do with what others ask of it. */
export function watchAnswers(url: string): AnswersWatch {
  const everyMs = 40
  let [asked, failures, isStopped] = [0, 0, false]
  const ask = async () => {
    while (!isStopped) {
      const isAnswered = await fetch(`${url}/healthz`).then(
        (response) => response.text().then(() => response.ok),
        () => false,
      )
      asked++
      if (!isAnswered) failures++
      await delay(everyMs)
    }
  }
  const asking = ask()
  return {
    look() {
      const seen = { asked, failures }
      asked = failures = 0
      return seen
    },
    async stop() {
      isStopped = true
      await asking
    },
  }
}
