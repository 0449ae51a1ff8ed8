interface VersionSliderProps {
  /** The version that is shown. */
  value: number
  last: number
  onShow: (number: number) => void
}

/** Goes through the versions by hand or with the arrow keys. */
export function VersionSlider({ value, last, onShow }: VersionSliderProps) {
  return (
    <label className="flex items-center gap-2 text-small text-muted">
      <span className="shrink-0 tabular">
        Version {value} of {last}
      </span>
      <input
        type="range"
        aria-label="Version to show"
        aria-valuetext={value === last ? `Version ${value}, now` : `Version ${value}`}
        min={1}
        max={last}
        value={value}
        onChange={(event) => onShow(Number(event.target.value))}
        className="h-6 min-w-0 flex-1 accent-accent"
      />
    </label>
  )
}
