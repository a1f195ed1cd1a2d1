/**
 * Node's own `http`. An import of it asks for the value of everything it exports, `WebSocket` among them, for which Node
 * loads its whole `fetch`: 14 MB that nothing here needs.
 */
export const { createServer } = process.getBuiltinModule('node:http')
