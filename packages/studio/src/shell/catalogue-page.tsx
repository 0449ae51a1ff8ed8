import type { ComponentProps, ReactNode } from 'react'
import { Card } from '../ui/card.tsx'
import { ListBody } from '../ui/list/list-body.tsx'
import { Page } from './page.tsx'
import type { Place } from './places.ts'

type ListProps<Row> = Omit<ComponentProps<typeof ListBody<Row>>, 'label'>

interface CataloguePageProps<Row> extends ListProps<Row> {
  title: string
  description: string
  actions?: ReactNode
  wide?: boolean
  /** The place whose tabs lead to it. */
  place?: Place
  /** What narrows the list. */
  filters?: ReactNode
  /** A first line of the card, before the list. */
  above?: ReactNode
  /** What follows the list, and its dialogs. */
  children?: ReactNode
}

/** A page with its list on a card, which leads to pages of their own. */
export function CataloguePage<Row>(props: CataloguePageProps<Row>) {
  const { title, description, actions, wide = false, place, filters, above, children, ...list } = props
  return (
    <Page title={title} description={description} actions={actions} wide={wide} place={place}>
      {filters}
      <Card flush>
        {above}
        <ListBody<Row> label={title} {...list} />
      </Card>
      {children}
    </Page>
  )
}
