import { expect, it } from 'vitest'
import { createEgress, networkPresets, operatorRules, teamRules } from './index.ts'
import { createTestInternet, never } from './test-internet.ts'

it.each(Object.entries(networkPresets))('the preset %s is an allow-list of whole https origins', (_, { allow }) => {
  const rules = teamRules({ allow })
  expect(rules.allow).toEqual(
    allow.map((url) => ({ protocol: 'https:', hostname: new URL(url).hostname, port: 443, path: '/' })),
  )
})

it('a team and the operator pass the same guard with different rules', async () => {
  const internet = createTestInternet()
  await internet.serve('10.0.0.5', (_, response) => response.end('ok'))
  const egress = createEgress(internet)
  const allow = ['http://10.0.0.5:11434/v1']
  const model = egress.fetchFor(operatorRules({ allow }))
  expect(await (await model('http://10.0.0.5:11434/v1/chat', { method: 'POST', body: '{}' })).text()).toBe('ok')
  await expect(model('http://10.0.0.5:11434/admin')).rejects.toThrow('fetch failed')
  const team = egress.outbound({ rules: teamRules({ allow }) })
  await expect(team.fetch({ url: 'http://10.0.0.5:11434/v1' }, never)).rejects.toMatchObject({
    reason: 'private-address',
  })
  await internet.close()
})
