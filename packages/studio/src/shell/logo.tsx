export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M21.5 11.2a7 7 0 1 0 0 9.6"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        className="stroke-on-accent"
      />
      <circle cx="22" cy="16" r="2.2" className="fill-on-accent" />
    </svg>
  )
}
