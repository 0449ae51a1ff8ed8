/** Set by `npm run test:long`: many seeds, many kills. */
export const isLong = process.env['COHEREX_TEST_LONG'] === '1'
