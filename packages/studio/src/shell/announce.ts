/** Says something to a screen reader, such as the page that was reached: without a page load the browser does not. */
export function announce(message: string): void {
  const region = document.getElementById('announcer') ?? createRegion()
  region.textContent = message
}

function createRegion(): HTMLElement {
  const region = document.createElement('div')
  region.id = 'announcer'
  region.setAttribute('role', 'status')
  region.className = 'sr-only'
  document.body.append(region)
  return region
}
