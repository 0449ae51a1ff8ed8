const swatches = [
  ['canvas', 'bg-canvas'],
  ['surface', 'bg-surface'],
  ['sunken', 'bg-sunken'],
  ['hover', 'bg-hover'],
  ['pressed', 'bg-pressed'],
  ['line', 'bg-line'],
  ['line-strong', 'bg-line-strong'],
  ['control', 'bg-control'],
  ['faint', 'bg-faint'],
  ['muted', 'bg-muted'],
  ['text', 'bg-text'],
  ['accent', 'bg-accent'],
  ['accent-soft', 'bg-accent-soft'],
  ['green', 'bg-green'],
  ['green-soft', 'bg-green-soft'],
  ['amber', 'bg-amber'],
  ['amber-soft', 'bg-amber-soft'],
  ['red', 'bg-red'],
  ['red-soft', 'bg-red-soft'],
  ['blue', 'bg-blue'],
  ['blue-soft', 'bg-blue-soft'],
]

export function Colours() {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(84px,1fr))] gap-3">
      {swatches.map(([name, background]) => (
        <li key={name} className="text-small text-muted">
          <span className={`mb-1 block h-10 rounded-md border border-line ${background}`} />
          {name}
        </li>
      ))}
    </ul>
  )
}
