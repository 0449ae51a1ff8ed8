const pageBytes = 65_536

/** Lets the memory of a runtime grow so far: what is in it finds no more, as on a machine that has no more. */
export function boundWasm(mostBytes: number): void {
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + Number(pages) * pageBytes > mostBytes) throw new RangeError('Out of memory')
    return Reflect.apply(grow, this, [pages]) as number
  }
}
