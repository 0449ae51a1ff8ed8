/** Counts the words of a text, for the agent beside it. */
export default async (_env: unknown, input?: { text: string }) => {
  const words = (input?.text ?? '').split(/\s+/).filter((word) => word !== '')
  return { words: words.length, minutesToRead: Math.ceil(words.length / 220) }
}
