/** Puts text in the clipboard; says whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // the clipboard API is missing on plain HTTP; the old way still works there
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'sr-only'
  const focused = document.activeElement
  // inside an open dialog the focus trap would take the selection away from the body
  ;(focused?.closest('[role=dialog],[role=alertdialog]') ?? document.body).append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
