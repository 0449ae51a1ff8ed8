import mermaid from 'mermaid'
import { draw } from './drawing.ts'

draw(async ({ code, isDark }, place) => {
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: isDark ? 'dark' : 'default' })
  const { svg } = await mermaid.render('diagram', code)
  place.innerHTML = svg
})
