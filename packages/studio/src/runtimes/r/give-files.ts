const address = 'https://nowhere.invalid/'

/** Lets files that the worker has be loaded from an address. Nothing else is at any address: the worker has no network. */
export function giveFiles(files: Record<string, ArrayBuffer>): string {
  const scope = globalThis as unknown as Record<string, unknown>
  const fileAt = (at: unknown) => files[String(at).startsWith(address) ? String(at).slice(address.length) : '']
  const load = scope['importScripts'] as (at: string) => void

  scope['importScripts'] = (at: string) => {
    const file = fileAt(at)
    if (!file) throw new Error('The browser’s sandbox has no network: run the block on the server.')
    load(URL.createObjectURL(new Blob([file], { type: 'text/javascript' })))
  }
  scope['fetch'] = async (at: unknown) => {
    const file = fileAt(at)
    if (!file) throw new TypeError('The browser’s sandbox has no network: run the block on the server.')
    return new Response(file, { headers: { 'content-type': 'application/wasm' } })
  }
  // R reads files while its code waits, which only this old way can do
  scope['XMLHttpRequest'] = class {
    #file: ArrayBuffer | undefined
    status = 0
    response: ArrayBuffer = new ArrayBuffer()
    responseType = ''
    onload: (() => void) | null = null
    onerror: (() => void) | null = null
    open(_method: string, at: string): void {
      this.#file = fileAt(at)
    }
    send(): void {
      this.status = this.#file ? 200 : 404
      this.response = this.#file ?? new ArrayBuffer()
      if (this.#file) this.onload?.()
      else this.onerror?.()
    }
    setRequestHeader(): void {}
    overrideMimeType(): void {}
    getResponseHeader(name: string): string | null {
      return name.toLowerCase() === 'content-length' ? String(this.response.byteLength) : null
    }
  }
  return address
}
