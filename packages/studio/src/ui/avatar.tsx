import { classNames } from './class-names.ts'

const tones = [
  'bg-blue-soft text-blue',
  'bg-green-soft text-green',
  'bg-amber-soft text-amber',
  'bg-accent-soft text-accent-text',
  'bg-grey-soft text-muted',
]

interface AvatarProps {
  name: string
  /** Teams are square, people round. */
  shape?: 'round' | 'square'
  size?: 'small' | 'medium'
}

export function Avatar({ name, shape = 'round', size = 'medium' }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-flex shrink-0 items-center justify-center font-semibold uppercase select-none',
        shape === 'round' ? 'rounded-full' : 'rounded-md',
        size === 'small' ? 'size-5 text-[10px]' : 'size-7 text-[11px]',
        tones[toneOf(name)],
      )}
    >
      {initialsOf(name, size === 'small' ? 1 : 2)}
    </span>
  )
}

function toneOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return sum % tones.length
}

function initialsOf(name: string, count: number): string {
  const words = name.trim().split(/\s+/)
  const picked = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return picked
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .slice(0, count)
}
