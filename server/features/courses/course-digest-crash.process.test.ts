import { expect, it } from 'vitest'
import { startServerProcess } from '../../testing/server-process.ts'
import { startSmtpServer } from '../../testing/smtp-server.ts'

const email = 'mia@uni.example'

it('is sent once although the server is killed while the mail server accepts it, and the next day has newer notes', async () => {
  let isFirst = true
  const taken = Promise.withResolvers<void>()
  const killed = Promise.withResolvers<void>()
  const texts: string[] = []
  const smtp = await startSmtpServer({
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
      stream.on('end', async () => {
        texts.push(text)
        // The first mail is received, but the server is killed before it gets the reply.
        if (isFirst) {
          isFirst = false
          taken.resolve()
          await killed.promise
        }
        done()
      })
    },
  })
  const env = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'Lectern <desk@notes.example>' }
  let server = await startServerProcess(undefined, { env })
  try {
    let client = await server.connectToDatabase()
    await client.query(`
      WITH people AS (
        INSERT INTO users (name, email) VALUES ('Mia', '${email}'), ('Ben', 'ben@uni.example') RETURNING id, name),
      choice AS (
        INSERT INTO course_digests (user_id, frequency, due_at, notified_until)
        SELECT id, 'daily', now() - interval '1 minute', '2026-01-01' FROM people WHERE name = 'Mia'),
      follow AS (
        INSERT INTO course_follows (user_id, course_key, followed_at)
        SELECT id, 'CSC148', '2026-01-01' FROM people WHERE name = 'Mia'),
      document AS (
        INSERT INTO documents (file_key, bytes, sha256, text_state, thumbnail_state)
        VALUES ('none', 1, '\\x00', 'empty', 'failed') RETURNING id)
      INSERT INTO notes (user_id, title, course_code, course_key, course_words, academic_year, is_anonymous, created_at,
                         title_words, instructor_words, document_id)
      SELECT people.id, 'Recursion', 'CSC148', 'CSC148', '''csc148''', '2025–26', false, '2026-03-01', '', '', document.id
        FROM people, document WHERE name = 'Ben'`)
    // The schedule runs every ten minutes; inserting its job avoids the wait.
    const planNow = () => client.query(`INSERT INTO pgboss.job (name, data) VALUES ('enqueue-course-digests', '{}')`)
    // The schedule also runs at six in the morning, when the next digest would be due.
    const putOff = () => client.query(`UPDATE course_digests SET due_at = now() + interval '1 day'`)
    // It also runs by itself, so there may be more jobs than mails.
    const findStates = async () =>
      (await client.query(`SELECT DISTINCT state FROM pgboss.job WHERE name = 'course-digest-mail'`)).rows
    await planNow()
    await taken.promise
    await putOff()
    await client.end()
    await server.kill()
    killed.resolve()

    server = await startServerProcess(server.dataDir, { env })
    client = await server.connectToDatabase()
    // The job of the killed server is retried after a while and sends nothing.
    await expect.poll(findStates, { timeout: 120_000 }).toEqual([{ state: 'completed' }])
    expect(texts).toHaveLength(1)
    await client.query(`UPDATE course_digests SET due_at = now()`)
    await planNow()
    await expect.poll(() => texts.length, { timeout: 120_000 }).toBe(2)
    await putOff()
    await expect.poll(findStates, { timeout: 120_000 }).toEqual([{ state: 'completed' }])
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text).toContain('1 new note\r\n')
    await client.end()
  } finally {
    await server.stop()
    await smtp.close()
  }
}, 300_000)
