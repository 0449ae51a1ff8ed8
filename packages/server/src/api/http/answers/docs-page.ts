import { html, raw } from 'hono/html'
import type { JsonSchema, OpenApi, Operation } from './openapi.ts'

/** The API to read, as one page without a script. */
export function renderDocsPage({ info, paths }: OpenApi) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? ''))]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Coherex API ${info.version}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <nav aria-label="Sections">
          <a class="brand" href="/">Coherex</a>
          ${tags.map((tag) => html`<a href="#${slug(tag)}">${tag}</a>`)}
          <a href="/api/v1/openapi.json">openapi.json</a>
        </nav>
        <main>
          <h1>API <span class="quiet">${info.version}</span></h1>
          <p>
            Send <code>Authorization: Bearer &lt;API key&gt;</code>; keys are made in the studio under Settings, or with
            <code>coherex keys create</code>. Errors are <code>{ "error": { "code", "message", "details"? } }</code>.
          </p>
          ${tags.map(
            (tag) =>
              html`<h2 id="${slug(tag)}">${tag}</h2>
                ${operations.filter(({ operation }) => operation.tags[0] === tag).map(renderOperation)}`,
          )}
        </main>
      </body>
    </html>`
}

function renderOperation({ path, method, operation }: { path: string; method: string; operation: Operation }) {
  const body = operation.requestBody?.content['application/json']?.schema
  const [[status, first] = ['', undefined], ...others] = Object.entries(operation.responses)
  const success = first && 'description' in first ? first : undefined
  const refusals = others.flatMap(([one]) => (one === 'default' ? [] : one))
  const answer = success?.content?.['application/json']?.schema
  return html`<details id="${operation.operationId}">
    <summary>
      <span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>
      <span class="quiet">${operation.summary}</span>
    </summary>
    <p>${operation.description}</p>
    ${
      operation.parameters.length > 0
        ? html`<table>
            <thead>
              <tr>
                <th>Parameter</th>
                <th>In</th>
                <th>Type</th>
                <th>Meaning</th>
              </tr>
            </thead>
            <tbody>
              ${operation.parameters.map(
                (one) =>
                  html`<tr>
                    <td><code>${one.name}</code>${one.required ? ' *' : ''}</td>
                    <td>${one.in}</td>
                    <td><code>${typeOf(one.schema)}</code></td>
                    <td>${one.description ?? ''}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        : ''
    }
    ${
      body
        ? html`<h3>Body</h3>
            <pre>${shapeOf(body)}</pre>`
        : ''
    }
    <h3>Answers ${status}</h3>
    ${answer ? html`<pre>${shapeOf(answer)}</pre>` : html`<p class="quiet">${success?.description ?? ''}</p>`}
    <p class="quiet">Refuses with ${refusals.join(', ')}.</p>
  </details>`
}

/** A schema the way one would write an example: names, types, `?` for what may be absent. */
function shapeOf(schema: JsonSchema, indent = ''): string {
  const { type, properties, items, required, anyOf } = schema as {
    type?: string
    properties?: Record<string, JsonSchema>
    items?: JsonSchema
    required?: string[]
    anyOf?: JsonSchema[]
  }
  if (properties) {
    const inner = `${indent}  `
    const lines = Object.entries(properties).map(
      ([name, one]) => `${inner}${name}${required?.includes(name) ? '' : '?'}: ${shapeOf(one, inner)}`,
    )
    return `{\n${lines.join('\n')}\n${indent}}`
  }
  if (type === 'array' && items) return `[${shapeOf(items, indent)}]`
  if (anyOf) return anyOf.map((one) => shapeOf(one, indent)).join(' | ')
  return typeOf(schema)
}

function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema['enum'])) return schema['enum'].map((one) => JSON.stringify(one)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema['const'])
  return String(schema['format'] ?? schema['type'] ?? 'any')
}

function slug(text: string): string {
  return text.toLowerCase().replace(/\W+/g, '-')
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#e3e5ea, #2a2d34); --quiet: light-dark(#5c6270, #9aa1af); --accent: light-dark(#4f46c8, #a5a0ff); --soft: light-dark(#f6f7f9, #17191d) }
body { margin: 0; font: 14px/1.55 "Inter Variable", Inter, system-ui, sans-serif; background: light-dark(#fff, #0f1013); color: light-dark(#1a1d23, #e6e8ec); display: grid; grid-template-columns: 200px minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; padding: 24px 16px; border-right: 1px solid var(--line); display: flex; flex-direction: column; gap: 6px; box-sizing: border-box }
nav a { color: inherit; text-decoration: none; padding: 2px 8px; border-radius: 6px } nav a:hover { background: var(--soft) } .brand { font-weight: 600; margin-bottom: 12px }
main { padding: 32px 40px 120px; max-width: 920px } h1 { font-size: 28px; font-weight: 500 } h2 { font-size: 20px; font-weight: 500; margin: 40px 0 12px } h3 { font-size: 13px; font-weight: 500; margin: 16px 0 4px }
details { border: 1px solid var(--line); border-radius: 10px; margin: 8px 0; padding: 0 16px } summary { padding: 10px 0; cursor: pointer; list-style-position: outside } details[open] { padding-bottom: 16px }
code, pre { font: 12.5px/1.5 "JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace } pre { background: var(--soft); border-radius: 6px; padding: 12px; overflow: auto }
.quiet { color: var(--quiet) } .method { display: inline-block; min-width: 52px; font: 500 11px ui-monospace, monospace; color: var(--accent) } table { border-collapse: collapse; width: 100%; font-size: 13px } th, td { text-align: left; padding: 4px 8px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400 } th { color: var(--quiet) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media (max-width: 720px) { body { display: block } nav { position: static; height: auto; flex-flow: row wrap; border: 0; border-bottom: 1px solid var(--line) } main { padding: 16px } }
`
