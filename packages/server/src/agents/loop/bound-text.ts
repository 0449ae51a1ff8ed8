/** The beginning and the end of a long text: errors stand at the end, headings at the beginning. */
export function boundText(text: string, most: number, where: string): string {
  if (text.length <= most) return text
  const head = Math.floor(most * 0.7)
  const tail = most - head
  const left = text.length - head - tail
  return `${text.slice(0, head)}\n… ${left} characters left out; ${where} …\n${text.slice(text.length - tail)}`
}
