import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import '../../styles/studio.css'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchTheme } from '../../shell/theme.ts'
import { SharedPage } from './shared-page.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('shared.html has no #root')
watchTheme()
const [, kind, token = ''] = window.location.pathname.split('/')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <SharedPage token={token} isEmbed={kind === 'embed'} />
    </CSPProvider>
  </StrictMode>,
)
