import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './styles/studio.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchTheme } from './shell/theme.ts'
import { Studio } from './studio.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
watchTheme()
createRoot(root).render(
  <StrictMode>
    <Studio />
  </StrictMode>,
)
