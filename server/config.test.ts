import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { configTable, readConfig } from './config.ts'

describe('readConfig', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      maxFiles: 10,
      maxFileMb: 25,
      rateLimit: true,
    })
  })

  it('takes an empty value for none', () => {
    expect(readConfig({ PORT: '', SMTP_URL: ' ' })).toMatchObject({ port: 3000, smtpUrl: null })
  })

  it.each([
    [{ PORT: 'eighty' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ PUBLIC_URL: 'notes.example.org' }, 'PUBLIC_URL'],
    [{ PUBLIC_URL: 'https://notes.example.org/lectern' }, 'PUBLIC_URL'],
    [{ DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL'],
    [{ SMTP_URL: 'http://mail', MAIL_FROM: 'a@b.example' }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail' }, 'MAIL_FROM'],
    [{ SECRET: 'short' }, 'SECRET'],
    [{ TRUST_PROXY: 'everyone' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: '10.0.0.0/64' }, 'TRUST_PROXY'],
    [{ MAX_FILES: '0' }, 'MAX_FILES'],
    [{ ACADEMIC_YEAR_START_MONTH: '13' }, 'ACADEMIC_YEAR_START_MONTH'],
    [{ OPERATOR_NAME: 'Ana\nBen' }, 'OPERATOR_NAME'],
    [{ OPERATOR_NAME: 'a'.repeat(101) }, 'OPERATOR_NAME'],
    [{ OPERATOR_TEXT: 'a'.repeat(2001) }, 'OPERATOR_TEXT'],
    [{ RATE_LIMIT: 'maybe' }, 'RATE_LIMIT'],
    [{ RECOGNITION_LANGUAGES: 'eng, klingon' }, 'RECOGNITION_LANGUAGES'],
    [{ RECOGNITION_LANGUAGES: ',' }, 'RECOGNITION_LANGUAGES'],
    [{ ROLE: 'everything' }, 'ROLE'],
    [{ ROLE: 'web' }, 'DATABASE_URL'],
    [{ ROLE: 'worker', DATABASE_URL: 'postgres://db/lectern' }, 'PUBLIC_URL'],
    [{ ROLE: 'web', DATABASE_URL: 'postgres://db/lectern' }, /^SECRET .*$/],
    [{ ROLE: 'worker', DATABASE_URL: 'postgres://db/lectern', PUBLIC_URL: 'https://notes.example.org' }, /^SECRET .*$/],
    [{ ROLE: 'web', DATABASE_URL: 'postgres://db/lectern', SECRET: 'short' }, /^SECRET .*$/],
    [{ NODE_ENV: 'production' }, 'SMTP_URL'],
    [{ NODE_ENV: 'production', SMTP_URL: 'smtp://m', MAIL_FROM: 'a@b.example' }, 'PUBLIC_URL'],
    [{ NODE_ENV: 'production', RATE_LIMIT: 'off' }, 'RATE_LIMIT=off'],
  ])('refuses %j by name', (env, name) => {
    expect(() => readConfig(env)).toThrow(name)
  })

  it('names everything that is wrong at once, one a line', () => {
    expect(() => readConfig({ PORT: 'x', SECRET: 'x' })).toThrow(/PORT.*\nSECRET/)
  })
})

it('is described in the README from the same source', async () => {
  expect(await readFile(new URL('../README.md', import.meta.url), 'utf8')).toContain(configTable())
})
