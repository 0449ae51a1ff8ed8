// What the guest uses of WebAssembly. The library that has all of it brings the whole browser along.
declare namespace WebAssembly {
  type ImportValue = ((...args: never[]) => unknown) | Memory | number

  class Module {
    constructor(bytes: Uint8Array)
    static exports(module: Module): { name: string; kind: string }[]
    static imports(module: Module): { module: string; name: string; kind: string }[]
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, ImportValue>>)
    readonly exports: Record<string, unknown>
  }
  class Memory {
    readonly buffer: ArrayBuffer
  }
}
