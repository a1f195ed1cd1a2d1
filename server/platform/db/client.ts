import pg from 'pg'

/**
 * Opens a connection beside the pool; `await using` closes it, which rolls back an open transaction. When the connection
 * is lost, its next query fails.
 * @throws when PostgreSQL cannot be reached.
 */
export async function connect(config: pg.ClientConfig): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(config)
  const end = () => client.end().catch(() => {})
  // Without a listener, a lost connection would end the process.
  client.on('error', () => {})
  await client.connect().catch(async (error) => {
    await end()
    throw error
  })
  return Object.assign(client, { [Symbol.asyncDispose]: end })
}
