import { build, stop } from 'esbuild'

let building = 0

/** esbuild's build(). Its process, 24 MB for as long as it lives, ends with the last build that is under way. */
export const buildScript: typeof build = async (options) => {
  building++
  try {
    return await build(options)
  } finally {
    if (--building === 0) await stop()
  }
}
