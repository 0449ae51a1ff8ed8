import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

const grounds = ['canvas', 'surface', 'raised', 'sunken', 'hover']
const onAnyGround = ['text', 'text-muted', 'text-faint', 'accent-text', 'green', 'amber', 'red', 'blue']
const pairs = [
  ...onAnyGround.flatMap((text) => grounds.map((ground) => [text, ground] as const)),
  ...['green', 'amber', 'red', 'blue'].map((tone) => [tone, `${tone}-soft`] as const),
  ['accent-text', 'accent-soft'] as const,
  ['text', 'accent-soft'] as const,
  ['text', 'selected'] as const,
  ['text', 'pressed'] as const,
  ['text-muted', 'accent-soft'] as const,
  ['text-muted', 'grey-soft'] as const,
  ['on-accent', 'accent'] as const,
  ['on-accent', 'accent-hover'] as const,
  ['on-danger', 'danger'] as const,
  ['on-danger', 'danger-hover'] as const,
]
const controls = grounds.slice(0, 4).flatMap((ground) => [['control', ground] as const, ['focus', ground] as const])

describe.each(['light', 'dark'])('in the %s theme', (theme) => {
  const tokens = tokensOf(theme)

  test.each(pairs)('%s reads well on %s', (text, ground) => {
    expect(contrast(tokens[text], tokens[ground])).toBeGreaterThanOrEqual(4.5)
  })

  test.each(controls)('%s stands out on %s', (control, ground) => {
    expect(contrast(tokens[control], tokens[ground])).toBeGreaterThanOrEqual(3)
  })
})

function tokensOf(theme: string): Record<string, string> {
  const block = new RegExp(`\\[data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? ''
  return Object.fromEntries(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  )
}

function contrast(a: string | undefined, b: string | undefined): number {
  if (!a || !b) throw new Error('a token of the pair is missing')
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
