import { Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { PanelTabs } from '../../ui/panel-tabs.tsx'
import { SplitPane } from '../../ui/split-pane.tsx'
import { Sample } from './sample.tsx'

export function PanelSamples({ theme }: { theme: string }) {
  const [tab, setTab] = useState('output')
  return (
    <Sample name="SplitPane and PanelTabs">
      <div className="flex h-48 w-full overflow-hidden rounded-lg border border-line">
        <SplitPane
          name={`design-${theme}`}
          direction="row"
          secondLabel={`Panel, ${theme}`}
          second={
            <PanelTabs
              label="Parts"
              value={tab}
              onChange={setTab}
              actions={<IconButton label="Copy" size="small" icon={<Copy aria-hidden />} />}
              tabs={[
                { value: 'output', label: 'Output', content: <p className="p-4 text-dense">What came of it.</p> },
                { value: 'files', label: 'Files', count: 3, content: <p className="p-4 text-dense">Three files.</p> },
              ]}
            />
          }
        >
          <p className="p-4 text-dense text-muted">Drag the line, or move it with the arrow keys.</p>
        </SplitPane>
      </div>
    </Sample>
  )
}
