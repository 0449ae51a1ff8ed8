import { parse, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import { draw } from './drawing.ts'

draw(async ({ code, isDark }, place) => {
  const spec = JSON.parse(code) as { $schema?: string; config?: object; width?: unknown }
  const colour = isDark ? '#e4e6eb' : '#1b1d22'
  const look = {
    background: 'transparent',
    axis: { labelColor: colour, titleColor: colour },
    legend: { labelColor: colour, titleColor: colour },
    title: { color: colour },
    view: { stroke: 'transparent' },
  }
  const isLite = !/\/vega\/v/.test(spec.$schema ?? '')
  const wide = spec.width === undefined || spec.width === 'container' ? { width: Math.max(200, innerWidth - 140) } : {}
  const plain = isLite
    ? compile({ ...spec, ...wide, config: { ...look, ...spec.config } } as unknown as TopLevelSpec).spec
    : spec
  await new View(parse(plain as Parameters<typeof parse>[0]), { renderer: 'svg' }).initialize(place).runAsync()
})
