import { networkByProxy } from './cases/network-by-proxy.ts'
import { network } from './cases/network.ts'
import { runHostileCases } from './run-hostile-cases.ts'

runHostileCases({ 'ways to the network': network, 'ways through the proxy of a sandbox': networkByProxy })
