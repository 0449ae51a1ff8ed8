export function formatNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 })
}

/** Megabytes in the unit that reads best. */
export function formatMegabytes(megabytes: number): string {
  if (megabytes >= 1024) return `${formatNumber(Math.round((megabytes / 1024) * 10) / 10)} GB`
  return `${formatNumber(Math.round(megabytes * 10) / 10)} MB`
}

export function formatDollars(value: number): string {
  return value.toLocaleString('en-US', { style: 'currency', currency: 'USD', minimumFractionDigits: value % 1 ? 2 : 0 })
}
