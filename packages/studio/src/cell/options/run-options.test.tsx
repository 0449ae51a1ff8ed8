// @vitest-environment happy-dom
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { RunOptions } from './run-options.tsx'
import { noOptions } from './typed-options.ts'
import { useOptionCheck } from './use-option-check.ts'

const schema = {
  type: 'object',
  required: ['city'],
  properties: { city: { type: 'string' }, days: { type: 'integer', title: 'Days ahead' }, tags: { type: 'array' } },
}

function Page({ onRun }: { onRun: (part: object) => void }) {
  const [options, setOptions] = useState(noOptions)
  const { check, read } = useOptionCheck(options)
  const run = () => {
    const part = read()
    if (part) onRun(part)
  }
  return (
    <>
      <button onClick={run}>Run</button>
      <RunOptions
        check={check}
        language="python"
        only={['input', 'allow', 'seconds']}
        schema={schema}
        options={options}
        onChange={setOptions}
      />
    </>
  )
}

test('RunOptions asks for the input by its schema, opens at the option that is wrong, and reads the rest', async () => {
  const onRun = vi.fn()
  const page = await openPage(<Page onRun={onRun} />)
  await page.press(page.button('Options'))
  expect(() => page.field('Standard input')).toThrow()
  await page.type(page.field('city'), 'Graz')
  await page.type(page.field('Days ahead'), '3')
  await page.type(page.field('Network: addresses it may reach'), 'example.com')
  await page.press(page.button('Options · 2'))
  expect(() => page.field('city')).toThrow()

  await page.press(page.button('Run'))
  expect(onRun).not.toHaveBeenCalled()
  const network = page.field('Network: addresses it may reach')
  await vi.waitFor(() => expect(document.activeElement).toBe(network))
  await page.type(network, 'https://example.com/')
  await page.press(page.button('Run'))
  expect(onRun).toHaveBeenCalledWith({ input: { city: 'Graz', days: 3 }, network: { allow: ['https://example.com/'] } })

  await page.press(page.button('Options · 2'))
  await page.press(page.button('As JSON'))
  expect(JSON.parse(page.field('Input as JSON').value)).toEqual({ city: 'Graz', days: 3 })
})
