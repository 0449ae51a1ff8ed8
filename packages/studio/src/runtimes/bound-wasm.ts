const pageBytes = 65_536

/**
 * Lets the memory of a runtime grow so far: what is in it finds no more, as on a machine that has no more. Answers how much is
 * taken. None of it is ever given back, so that this is also the most that was.
 */
export function boundWasm(mostBytes: number): () => number {
  const { Memory, Instance } = WebAssembly
  const memories = new Set<WebAssembly.Memory>()
  const { grow } = Memory.prototype
  Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + Number(pages) * pageBytes > mostBytes) throw new RangeError('Out of memory')
    return Reflect.apply(grow, this, [pages]) as number
  }
  // given to its program, or made by it
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor)
      memories.add(this)
    }
  }
  const keep = <Made extends WebAssembly.Instance | WebAssembly.WebAssemblyInstantiatedSource>(made: Made): Made => {
    const { exports } = made instanceof Instance ? made : made.instance
    for (const one of Object.values(exports)) if (one instanceof Memory) memories.add(one)
    return made
  }
  const { instantiate, instantiateStreaming } = WebAssembly
  WebAssembly.instantiate = (async (source: WebAssembly.Module, imports?: WebAssembly.Imports) =>
    keep(await instantiate(source, imports))) as typeof WebAssembly.instantiate
  WebAssembly.instantiateStreaming = async (source, imports) => keep(await instantiateStreaming(source, imports))
  return () => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
}
