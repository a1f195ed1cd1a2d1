/**
 * Node's own `http` without an import. An import evaluates every export, including `WebSocket`, for which Node loads
 * its whole `fetch`: 14 MB that this server does not need.
 */
export const { createServer } = process.getBuiltinModule('node:http')
