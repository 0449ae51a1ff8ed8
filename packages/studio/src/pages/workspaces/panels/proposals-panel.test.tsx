// @vitest-environment happy-dom
import type { Proposal } from '@coherex/contract'
import { expect, test } from 'vitest'
import { openPage } from '../../../../tests/open-page.tsx'
import { ProposalCard } from './proposals-panel.tsx'

const proposal = {
  ...{ id: 'prop_1', path: 'a.txt', message: null, digest: 'abc', createdAt: '2026-01-01T00:00:00.000Z' },
  author: { kind: 'agent', id: 'coder', name: 'coder for Olga', door: 'agent' },
  diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+ONE\n@@ -20 +20 @@\n-two\n+TWO\n',
} as Proposal

test('ProposalCard accepts the hunks that are not switched off, of the diff that is shown', async () => {
  const page = await openPage(
    <ProposalCard id="wsp_1" proposal={proposal} mayWrite={{ may: true, why: undefined }} onOpen={() => undefined} />,
  )
  const switches = [...document.querySelectorAll<HTMLButtonElement>('input[type=checkbox]')]
  expect(switches).toHaveLength(2)
  if (switches[0]) await page.press(switches[0])
  await page.press(page.button('Approve 1 of 2 changes'))
  expect(page.takeRequests().at(-1)?.body).toEqual({ decision: 'accept', hunks: [1], digest: 'abc' })
})
