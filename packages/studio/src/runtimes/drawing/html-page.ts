import { tellConsole, type Drawing } from './drawing.ts'
import { refuseFrames } from './refuse-frames.ts'

const given = globalThis as unknown as { coherexDrawing?: Drawing & { port: MessagePort } }
const { code, port } = given.coherexDrawing as Drawing & { port: MessagePort }
delete given.coherexDrawing
const post = port.postMessage.bind(port)
// the page takes the place of this one, with its policy; listeners go, and come back after
document.open()
refuseFrames()
tellConsole(port)
addEventListener('load', () => setTimeout(() => post({ height: document.documentElement.scrollHeight }), 50))
document.write(code)
document.close()
