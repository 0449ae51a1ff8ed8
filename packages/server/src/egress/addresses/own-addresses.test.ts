import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { createEgress } from '../create-egress.ts'
import { teamRules } from '../rules.ts'
import { createTestInternet, never } from '../test-internet.ts'

// Which addresses a machine has is not ours to choose in a test; what follows from them is.
const networkInterfaces = vi.spyOn(os, 'networkInterfaces')
syncBuiltinESMExports()
afterEach(() => void networkInterfaces.mockReset())
afterAll(() => {
  networkInterfaces.mockRestore()
  syncBuiltinESMExports()
})

function asMachine(address: string) {
  const entry = {
    address,
    family: 'IPv4' as const,
    netmask: '255.255.255.0',
    mac: '00:00:00:00:00:00',
    internal: false,
    cidr: null,
  }
  networkInterfaces.mockReturnValue({ eth0: [entry] })
}

async function open() {
  const internet = createTestInternet({ 'me.test': ['93.184.216.34'] })
  await internet.serve('93.184.216.34', (_, response) => response.end('ok'))
  return { internet, outbound: createEgress(internet).outbound({ rules: teamRules({ allow: 'any' }) }) }
}

describe('the machine’s own public address', () => {
  it('is refused by address and by name', async () => {
    asMachine('93.184.216.34')
    const { internet, outbound } = await open()
    await expect(outbound.fetch({ url: 'http://93.184.216.34/' }, never)).rejects.toMatchObject({
      code: 'URL_NOT_ALLOWED',
    })
    await expect(outbound.fetch({ url: 'http://me.test/' }, never)).rejects.toMatchObject({ code: 'FETCH_FAILED' })
    expect(internet.dialled).toEqual([])
    await internet.close()
  })

  it('is reached when it is somebody else’s', async () => {
    asMachine('93.184.216.35')
    const { internet, outbound } = await open()
    expect((await outbound.fetch({ url: 'http://me.test/' }, never)).status).toBe(200)
    await internet.close()
  })

  it('is not known where interfaces cannot be listed; private addresses are refused all the same', async () => {
    networkInterfaces.mockImplementation(() => {
      throw new Error('uv_interface_addresses')
    })
    const { internet, outbound } = await open()
    expect((await outbound.fetch({ url: 'http://me.test/' }, never)).status).toBe(200)
    await expect(outbound.fetch({ url: 'http://127.0.0.1/' }, never)).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' })
    await internet.close()
  })
})
