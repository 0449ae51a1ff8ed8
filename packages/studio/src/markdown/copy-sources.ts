/** Puts the source of each formula that is selected in the place of its drawing, whose letters make no sense in a row. */
export function copySources(event: ClipboardEvent): void {
  const selection = getSelection()
  if (!event.clipboardData || !selection || selection.rangeCount === 0 || selection.isCollapsed) return
  const range = selection.getRangeAt(0)
  const copy = document.createElement('div')
  copy.append(cloneAround(range))
  const formulas = copy.querySelectorAll<HTMLElement>('[data-formula]')
  if (formulas.length === 0) return
  for (const formula of formulas) {
    formula.textContent = formula.dataset['formula'] ?? ''
    formula.style.whiteSpace = 'pre'
  }
  // only what is laid out has its line breaks
  copy.style.cssText = 'position: fixed; left: -10000px; width: 1000px'
  document.body.append(copy)
  event.clipboardData.setData('text/plain', copy.innerText)
  copy.remove()
  event.preventDefault()
}

/** What is selected; within a single formula, all of it. */
function cloneAround(range: Range): DocumentFragment {
  const within = range.commonAncestorContainer
  const element = within instanceof Element ? within : within.parentElement
  const formula = element?.closest('[data-formula]')
  if (!formula) return range.cloneContents()
  const whole = document.createDocumentFragment()
  whole.append(formula.cloneNode(true))
  return whole
}
