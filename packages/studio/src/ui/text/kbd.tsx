const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

const names: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl',
  enter: '↵',
  up: '↑',
  down: '↓',
  escape: 'Esc',
}

/** Keys to press, such as `mod k` or `g h`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split(' ').map((key) => (
        <kbd
          key={key}
          className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-sm border border-line-strong bg-sunken px-1 font-sans text-[11px] leading-none text-muted"
        >
          {names[key] ?? key.toUpperCase()}
        </kbd>
      ))}
    </span>
  )
}
