import { draw } from './drawing.ts'

interface Figure {
  data?: unknown[]
  layout?: { template?: unknown; height?: number; font?: object }
  config?: object
}

// the library is a script of its own before this one
declare const Plotly: { newPlot(place: HTMLElement, data: unknown[], layout: object, config: object): Promise<unknown> }

draw(async ({ code, isDark }, place) => {
  const { data = [], layout = {}, config } = JSON.parse(code) as Figure
  const colour = isDark ? '#e4e6eb' : '#1b1d22'
  const clear = { paper_bgcolor: 'transparent', plot_bgcolor: 'transparent' }
  const look = { ...clear, font: { color: colour, ...layout.font }, height: layout.height ?? 420 }
  await Plotly.newPlot(place, data, { ...layout, ...look }, { ...config, displaylogo: false, responsive: true })
})
