// Runs before the first paint, so that a dark screen never flashes white. A file of its own: the CSP allows no inline script.
;(() => {
  let choice = 'system'
  try {
    choice = localStorage.getItem('coherex.theme') ?? 'system'
  } catch {
    // storage can be blocked; the system's theme is right then
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
