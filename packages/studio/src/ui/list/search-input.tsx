import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { classNames } from '../class-names.ts'
import { Input } from '../field/input.tsx'

interface SearchInputProps {
  label: string
  placeholder?: string
  /** What is searched for now; it may be changed from outside, by a chip that is taken off. */
  value: string
  /** Told when typing has paused. */
  onSearch: (text: string) => void
  /** It takes the room that is left, however little. */
  narrow?: boolean
}

const typingPauseMs = 250

/** A field that searches as you type, once you pause. */
export function SearchInput({ label, placeholder = label, value, onSearch, narrow = false }: SearchInputProps) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [told, setTold] = useState<readonly string[]>([])
  if (seen !== value) {
    setSeen(value)
    // what was told comes back a moment later, when more may have been typed
    const own = told.indexOf(value)
    setTold(told.slice(own + 1 || told.length))
    if (own < 0) setText(value)
  }
  const apply = useEffectEvent((search: string) => {
    if (search === value) return
    setTold((before) => [...before, search])
    onSearch(search)
  })
  useEffect(() => {
    const timer = setTimeout(() => apply(text.trim()), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={classNames('relative flex-1', narrow ? 'min-w-0' : 'min-w-52 md:max-w-80')}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        className="pl-8.5"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}
