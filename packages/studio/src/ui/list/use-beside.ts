import { useIsRoomy } from '../state/is-roomy.ts'
import { useEscape } from '../state/use-escape.ts'

interface BesideOptions {
  /** What is chosen in the list. */
  chosen: string | undefined
  choose: (id: string | undefined) => void
  /** Goes to the page of its own that everything in the list has. */
  visit: (id: string) => void
}

/** Opens details beside a list where there is room for them, and on their own page where not. Escape closes them. */
export function useBeside({ chosen, choose, visit }: BesideOptions) {
  const roomy = useIsRoomy()
  const beside = roomy ? chosen : undefined
  const close = () => choose(undefined)
  useEscape(close, beside !== undefined)
  return { roomy, beside, close, show: roomy ? choose : visit }
}
