import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type pg from 'pg'
import { password } from './settings.ts'

/** A library of `count` notes by a hundred students, straight into the tables. @returns one student of it. */
export async function fillLibrary(db: pg.Client, count: number): Promise<{ userId: string; email: string }> {
  const email = 'bench@uni.example'
  const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const { rows } = await db.query(
    `INSERT INTO users (name, email, password_hash)
     SELECT 'Student ' || i, CASE WHEN i = 0 THEN $1 ELSE 'student' || i || '@uni.example' END, $2
       FROM generate_series(0, 99) i RETURNING id`,
    [email, passwordHash],
  )
  await db.query(
    `WITH courses AS (SELECT ARRAY['MAT137','CSC148','PHY131','ECO101','BIO120','CHM135','HIS109','PSY100','STA130','LAW201'] c),
          words AS (SELECT ARRAY['linear','algebra','calculus','graphs','trees','waves','markets','cells','bonds','empires'] w),
          ids AS (SELECT array_agg(id) u FROM users)
     INSERT INTO notes (user_id, title, course_code, academic_year, is_anonymous, created_at, likes, course_key,
       title_words, instructor_words, file_key, file_bytes, file_sha256)
     SELECT u[1 + i % 100], w[1 + i % 10] || ' ' || w[1 + i / 10 % 10] || ' week ' || i % 12, c[1 + i % 10], '2025–26',
       i % 7 = 0, now() - i * interval '90 seconds', (1000 / (1 + i % 997))::int, c[1 + i % 10],
       array_to_tsvector(ARRAY[w[1 + i % 10], w[1 + i / 10 % 10], 'week', (i % 12)::text]), '', 'bench-' || i, 1, ''
       FROM generate_series(1, $1) i, courses, words, ids`,
    [count],
  )
  await db.query('VACUUM ANALYZE')
  return { userId: rows[0].id, email }
}

/** A PDF of about 200 kB: a page, and what readers ignore behind its end. */
export function makeBenchPdf(onePage: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([onePage, randomBytes(200_000)])
}
