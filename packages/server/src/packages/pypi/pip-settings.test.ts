import { expect, test } from 'vitest'
import { parseIndex, parseUvIndex, readPipSettings } from './pip-settings.ts'

test('parseIndex() reads the index of the global section of a pip.conf', () => {
  expect(
    parseIndex('[install]\nindex-url = http://other/\n\n[global]\ntimeout = 3\nindex-url = http://mirror/simple\n'),
  ).toBe('http://mirror/simple')
  expect(parseIndex('[global]\nextra-index-url = http://more/\n')).toBeUndefined()
})

test('readPipSettings() prefers what the operator names, and says which setting keeps the machine offline', () => {
  expect(readPipSettings({ PIP_INDEX_URL: 'http://pip/', UV_DEFAULT_INDEX: 'http://uv/' })).toMatchObject({
    index: 'http://uv/',
    offline: undefined,
  })
  expect(readPipSettings({ UV_OFFLINE: '1', PIP_INDEX_URL: 'http://pip/' }).offline).toContain('UV_OFFLINE')
  expect(readPipSettings({ UV_OFFLINE: '1' }, 'http://own/')).toEqual({ index: 'http://own/', offline: undefined })
})

test('parseUvIndex() reads the default index of a uv.toml', () => {
  const listed = '[[index]]\nurl = "http://more/"\n\n[[index]]\nurl = "http://mirror/simple"\ndefault = true\n'
  expect(parseUvIndex(listed)).toBe('http://mirror/simple')
  expect(parseUvIndex('index-url = "http://mirror/simple"')).toBe('http://mirror/simple')
  expect(parseUvIndex('[[index]]\nurl = "http://more/"\n')).toBeUndefined()
  expect(parseUvIndex('not = [toml')).toBeUndefined()
})
