// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { openPage } from '../../../tests/open-page.tsx'
import { DefinitionTitle } from './definition-title.tsx'
import { HolderFields } from './holder-fields.tsx'

const held = { name: 'mine', owner: { id: 'per_1', name: 'Olga Owner' }, reach: 'private' as const }
const reaches = [
  { value: 'private', label: 'Private' },
  { value: 'team', label: 'Team' },
] as const

test('DefinitionTitle shows name, status, version, owner and reach', async () => {
  await openPage(<DefinitionTitle {...held} status={<b>active</b>} version="version 3" />)
  expect(document.body.textContent).toBe('mineactiveversion 3 · Olga Owner · private')
})

test('DefinitionTitle shows no owner of what comes with Coherex', async () => {
  await openPage(<DefinitionTitle name="coder" status={null} version="built in" reach="team" />)
  expect(document.body.textContent).toBe('coderbuilt in')
})

test('HolderFields shows the owner and the reach of a definition', async () => {
  const page = await openPage(
    <HolderFields held={held} reaches={reaches} ownerHint="Answers for it." onChange={async () => undefined} />,
  )
  expect([page.field('Owner').textContent, page.field('Reach').textContent]).toEqual(['Olga Owner', 'Private'])
})
