import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { rebaseHtml } from './rebase-html.ts'

const rebase = (...chunks: string[]) =>
  text(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(rebaseHtml('/preview/token')))

test('addresses from the root lead below the prefix; others stay', async () => {
  expect(await rebase(`<a href="/a">/b</a><img src='/c.png' alt="/d"><script src=/e.js></script>`)).toBe(
    `<a href="/preview/token/a">/b</a><img src='/preview/token/c.png' alt="/d"><script src=/preview/token/e.js></script>`,
  )
  const others = `<a href="//cdn.example/a"><a href="b"><a href="https://c.example/"><p data-href="/d">a < b href="/e"`
  expect(await rebase(others)).toBe(others)
})

test('a tag that comes in two pieces is one tag, and letters in two pieces are one letter', async () => {
  const [first = Buffer.of(), last = Buffer.of()] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)]
  const page = Readable.from([Buffer.from('<p><a hr'), Buffer.concat([Buffer.from('ef="/a">'), first]), last])
  expect(await text(page.pipe(rebaseHtml('/x')))).toBe('<p><a href="/x/a">é')
})
