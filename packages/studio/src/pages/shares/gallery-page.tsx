import type { Language, Share } from '@coherex/contract'
import { Images } from 'lucide-react'
import { useGallery } from '../../data/share.ts'
import { languageNames } from '../../output/run-words.ts'
import { CataloguePage } from '../../shell/catalogue-page.tsx'
import { places } from '../../shell/places.ts'
import { Empty } from '../../ui/empty.tsx'
import type { Column } from '../../ui/list/table.tsx'
import { Time } from '../../ui/text/time.tsx'

const columns: Column<Share>[] = [
  { key: 'title', header: 'Title', cell: ({ title }) => <span className="font-medium">{title}</span> },
  {
    key: 'language',
    from: 'sm',
    header: 'Language',
    cell: ({ kind, language }) =>
      kind === 'thread' ? 'Conversation' : (languageNames[language as Language] ?? language),
  },
  { key: 'mode', header: 'They may', from: 'lg', cell: ({ mode }) => (mode === 'run' ? 'run' : 'read') },
  { key: 'reach', header: 'For', from: 'md', cell: ({ reach }) => (reach === 'public' ? 'anyone' : 'the team') },
  { key: 'by', header: 'Shared by', from: 'md', cell: ({ createdBy }) => createdBy.name },
  { key: 'at', header: 'Shared', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** Blocks, conversations and files that people of the team published. */
export function GalleryPage() {
  const gallery = useGallery()
  return (
    <CataloguePage
      title="Gallery"
      description="Code, charts, pages, conversations and files that your team published."
      wide
      place={places.library}
      pages={gallery}
      columns={columns}
      rowKey={({ id }) => id}
      linkOf={({ id }) => ({ to: '/gallery/$id', params: { id } })}
      empty={
        <Empty icon={Images} title="Nothing is published yet">
          Choose Share in the menu of a code block of a conversation, and publish it in the gallery.
        </Empty>
      }
    />
  )
}
