export interface Input {
  text: string
}

export interface Output {
  words: number
  characters: number
  longest: string
}

/** Counts the words of a text. */
export default async (_env: unknown, input?: Input): Promise<Output> => {
  const text = input?.text ?? 'Give this tool an input: { "text": "…" }'
  const words = text.split(/\s+/).filter((word) => word !== '')
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '')
  return { words: words.length, characters: text.length, longest }
}
