import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Input } from '../input.tsx'

interface SearchInputProps {
  label: string
  placeholder?: string
  /** What is searched for now; it may be changed from outside, by a chip that is taken off. */
  value: string
  /** Told when typing has paused. */
  onSearch: (text: string) => void
}

const typingPauseMs = 250

/** A field that searches as you type, once you pause. */
export function SearchInput({ label, placeholder = label, value, onSearch }: SearchInputProps) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  if (seen !== value) {
    setSeen(value)
    if (value !== text.trim()) setText(value)
  }
  const apply = useEffectEvent((search: string) => {
    if (search !== value) onSearch(search)
  })
  useEffect(() => {
    const timer = setTimeout(() => apply(text.trim()), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className="relative min-w-52 flex-1 md:max-w-80">
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
