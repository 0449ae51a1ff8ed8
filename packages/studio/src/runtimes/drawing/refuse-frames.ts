type Root = Document | ShadowRoot

/**
 * Takes frames out of the page as they come, before their scripts begin: a frame of its own would bring back the peer connections
 * that the page was made without. What the page does to the prototypes later changes nothing here.
 */
export function refuseFrames(): void {
  const removers: (() => void)[] = []
  const { remove } = Element.prototype
  const { apply } = Reflect
  const observer = new MutationObserver(() => {
    for (let at = 0; at < removers.length; at++) removers[at]?.()
  })
  const watch = (root: Root) => {
    const find = root.querySelectorAll.bind(root)
    removers[removers.length] = () => {
      const frames = find('iframe, frame, object, embed')
      for (let at = 0; at < frames.length; at++) apply(remove, frames[at], [])
    }
    observer.observe(root, { childList: true, subtree: true })
  }
  watch(document)
  const { attachShadow } = Element.prototype
  Element.prototype.attachShadow = function (options) {
    const root = apply(attachShadow, this, [options]) as ShadowRoot
    watch(root)
    return root
  }
}
