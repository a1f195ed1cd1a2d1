import { createServer } from 'node:http'

/** Reads whatever is sent to it and throws it away: what the traffic itself costs the machine. */
const server = createServer((request, response) => {
  request.resume()
  request.on('error', () => {})
  request.once('end', () => response.end())
})
server.listen(Number(process.env.PORT), '127.0.0.1')
process.once('SIGTERM', () => server.close())
