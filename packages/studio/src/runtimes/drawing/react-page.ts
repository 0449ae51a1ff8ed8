import * as React from 'react'
import { createRoot } from 'react-dom/client'
import { transform } from 'sucrase'
import { draw, tellConsole } from './drawing.ts'

const given = globalThis as unknown as { coherexDrawing: { port: MessagePort } }
tellConsole(given.coherexDrawing.port)

draw(async ({ code }, place) => {
  const Shown = componentOf(code)
  await new Promise<void>((resolve, reject) => {
    createRoot(place, { onUncaughtError: reject }).render(
      React.createElement(Told, { onShown: resolve }, React.createElement(Shown)),
    )
  })
})

/** Tells when what it holds is on the page. */
function Told({ onShown, children }: { onShown: () => void; children?: React.ReactNode }) {
  React.useEffect(() => void requestAnimationFrame(() => onShown()), [onShown])
  return children
}

/** The default export, or `App`, or the last component that the code declares. */
function componentOf(code: string): React.ComponentType {
  const { code: plain } = transform(code, { transforms: ['typescript', 'jsx', 'imports'], production: true })
  const names = [...code.matchAll(/^\s*(?:export\s+)?(?:function|const|let|class)\s+([A-Z]\w*)/gm)].map(
    ([, name]) => name,
  )
  const name = names.includes('App') ? 'App' : names.at(-1)
  const module = { exports: {} as Record<string, unknown> }
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- the frame has no origin and no network: here is where code of others runs
  const evaluate = new Function(
    'React',
    'require',
    'module',
    'exports',
    `${plain}\n${name ? `;exports.default ??= ${name}` : ''}`,
  )
  evaluate(React, requirePart, module, module.exports)
  const found = module.exports['default']
  if (typeof found !== 'function' && typeof found !== 'object')
    throw new Error('The code has no component: export one as the default, or call it App.')
  return found as React.ComponentType
}

function requirePart(name: string): unknown {
  if (name === 'react') return React
  throw new Error(`The preview has React alone: "${name}" cannot be imported.`)
}
