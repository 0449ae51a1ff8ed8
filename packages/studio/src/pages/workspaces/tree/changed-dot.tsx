/** Others changed it since one was here last. */
export function ChangedDot({ words }: { words: string | undefined }) {
  return <span role="img" aria-label={words} title={words} className="size-2 shrink-0 rounded-full bg-accent" />
}
