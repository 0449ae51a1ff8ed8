import * as React from 'react'
import * as ReactDom from 'react-dom'
import * as client from 'react-dom/client'
import * as jsxRuntime from 'react/jsx-runtime'
import { transform } from 'sucrase'
import { draw, tellConsole, type Drawing } from './drawing.ts'

const given = globalThis as unknown as { coherexDrawing: Drawing & { port: MessagePort } }
tellConsole(given.coherexDrawing.port)

const own: Record<string, unknown> = {
  react: React,
  'react-dom': ReactDom,
  'react-dom/client': client,
  'react/jsx-runtime': jsxRuntime,
}

draw(async ({ code }, place) => {
  const Shown = componentOf(code, evaluatePackages())
  await new Promise<void>((resolve, reject) => {
    client
      .createRoot(place, { onUncaughtError: reject })
      .render(React.createElement(Told, { onShown: resolve }, React.createElement(Shown)))
  })
})

/** Tells when what it holds is on the page. */
function Told({ onShown, children }: { onShown: () => void; children?: React.ReactNode }) {
  React.useEffect(() => void requestAnimationFrame(() => onShown()), [onShown])
  return children
}

/** The default export, or `App`, or the last component that the code declares. */
function componentOf(code: string, packages: Record<string, unknown>): React.ComponentType {
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
  evaluate(React, (part: string) => requirePart(part, packages), module, module.exports)
  const found = module.exports['default']
  if (typeof found !== 'function' && typeof found !== 'object')
    throw new Error('The code has no component: export one as the default, or call it App.')
  return found as React.ComponentType
}

/** Exports of the packages by what is imported; they have the same React as the component. */
function evaluatePackages(): Record<string, unknown> {
  const code = given.coherexDrawing.packages?.code
  if (!code) return {}
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- as the component itself
  const evaluate = new Function(`return ${code}`)() as (require: (name: string) => unknown) => Record<string, unknown>
  return evaluate((name) => requirePart(name, {}))
}

function requirePart(name: string, packages: Record<string, unknown>): unknown {
  const part = Object.hasOwn(own, name) ? own[name] : packages[name]
  if (part !== undefined) return part
  const why = given.coherexDrawing.packages?.missing.find(({ module }) => module === name)?.why
  throw new Error(`"${name}" cannot be imported: ${why ?? 'only packages that an import names at the top are there'}`)
}
