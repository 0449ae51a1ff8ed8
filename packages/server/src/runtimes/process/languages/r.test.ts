import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Ask, createFixture, type Fixture } from '../process-fixture.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture(0x700b0000 + (process.pid % 100) * 1000)
  await fixture.runtime.warm()
})
afterAll(async () => fixture.close())
beforeEach((context) => {
  if (fixture.runtime.language?.('r')?.missing) context.skip('needs r-base-core')
})

const r = (code: string, ask: Ask = {}) => fixture.run('r', code, { ...ask, limits: { memoryMb: 512, ...ask.limits } })

test('[process.21] what is not invisible is printed, and the last value is the result', async () => {
  const told = await r('x <- c(1, 2.5, NA)\nx\ny <- 3\ninvisible(7)\n"zß水"')
  expect(told).toMatchObject({ status: 'succeeded', stdout: '[1] 1.0 2.5  NA\n[1] "zß水"\n', result: 'zß水' })
  expect((await r('x <- 1')).result).toBeUndefined()
})

test('[process.21] values keep their meaning in JSON', async () => {
  const { result } = await r(`list(
    number = 0.1 + 0.2, whole = 3L, big = 1e300, none = NULL, missing = NA, nan = NaN, yes = TRUE, many = 1:3, named = c(a = 1, b = 2),
    text = 'q"\\n\\\\', day = as.Date("2026-02-28"), moment = as.POSIXct("2026-02-28 12:00:00", tz = "UTC"), level = factor("low"),
    grid = matrix(1:4, 2), nested = list(list(a = 1)), model = lm(mpg ~ wt, mtcars), empty = list())`)
  expect(result).toEqual({
    ...{ number: 0.1 + 0.2, whole: 3, big: 1e300, none: null, missing: null, nan: null, yes: true, many: [1, 2, 3] },
    ...{ named: { a: 1, b: 2 }, text: 'q"\n\\', day: '2026-02-28', moment: '2026-02-28T12:00:00Z', level: 'low' },
    ...{
      grid: [
        [1, 3],
        [2, 4],
      ],
      nested: [{ a: 1 }],
      model: null,
      empty: [],
    },
  })
})

test('[process.21] a data frame is shown as a table and handed back as records', async () => {
  const told = await r('data.frame(n = 1:2, name = c("<b>", NA))')
  expect(told.result).toEqual([
    { n: 1, name: '<b>' },
    { n: 2, name: null },
  ])
  expect(told.displays).toEqual([
    {
      'text/plain': expect.stringContaining('n name'),
      'text/html': expect.stringContaining('<td>&lt;b&gt;</td>'),
      'application/vnd.coherex.frame+json': {
        columns: [
          { name: 'n', type: 'integer' },
          { name: 'name', type: 'character' },
        ],
        rows: [
          [1, '<b>'],
          [2, null],
        ],
        ...{ offset: 0, total: 2 },
      },
    },
  ])
})

test('[process.21] every plot is shown as a PNG, several figures on a page as one', async () => {
  const told = await r(
    'plot(1:3)\nlines(3:1)\nhist(c(1, 2, 2))\npar(mfrow = c(1, 2))\nplot(1)\nplot(2)\npng("own.png")\nplot(1)\ninvisible(dev.off())',
  )
  expect(told.error).toBeUndefined()
  const images = told.displays.map((data) => Buffer.from(String(data['image/png']), 'base64'))
  expect(images.map((bytes) => bytes.subarray(1, 4).toString())).toEqual(['PNG', 'PNG', 'PNG'])
  expect(Math.min(...images.map(({ length }) => length))).toBeGreaterThan(1000)
  expect(told.files.map(({ path }) => path)).toEqual(['own.png'])
})

test('[process.21] warnings and messages go to stderr, and an error has its place and its calls', async () => {
  const told = await r(
    'message("note")\nas.integer("x")\ng <- function(n) {\n  if (n == 0) stop("out of cheese")\n  g(n - 1)\n}\ng(2)',
  )
  expect(told.stderr).toBe('note\nWarning: NAs introduced by coercion\n')
  expect(told.error).toMatchObject({
    kind: 'runtime',
    message: 'Error in g(n - 1): out of cheese',
    line: 4,
    column: 3,
  })
  expect(told.error?.stack).toBe('g(n - 1)\ng(n - 1)\ng(2)')
  expect((await r('1\nstop("at the top")')).error).toMatchObject({ message: 'Error: at the top', line: 2, column: 1 })
})

test('[process.21] past its memory or its time it is ended', async () => {
  const hoards = await r('x <- list()\nfor (i in 1:1e6) x[[i]] <- numeric(1e6) + i', { limits: { memoryMb: 256 } })
  expect(hoards.error?.kind).toBe('memory')
  expect((await r('while (TRUE) {}', { limits: { timeoutMs: 1500 } })).error?.kind).toBe('timeout')
})
