import { expect, it } from 'vitest'
import { findMisspelledVariables, readConfig } from './config.ts'

const DATABASE_URL = 'postgres://db/lectern'
const s3 = { S3_BUCKET: 'notes', S3_ENDPOINT: 'http://s3' }
const presigned = { ...s3, S3_PRESIGNED_DOWNLOADS: 'on', PUBLIC_URL: 'https://notes.example.org' }
const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://m', MAIL_FROM: 'a@b.example' }

it('readConfig needs nothing, and takes an empty value for none', () => {
  expect(readConfig({})).toMatchObject({ port: 3000, host: '127.0.0.1', maxFiles: 10, maxFileMb: 25, rateLimit: true })
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
  [{ DATABASE_URL: 'postgres://' }, 'DATABASE_URL must name a host'],
  [{ DATABASE_URL: 'postgres://lectern:pass#word@db/lectern' }, /^DATABASE_URL contains a #: .*# is %23/],
  [{ DATABASE_URL: 'postgres://lectern:pass/word@db/lectern' }, /^DATABASE_URL isn’t a valid address: percent-encode /],
  [{ DATABASE_URL: '"postgres://db/lectern"' }, /^DATABASE_URL starts and ends with quotes/],
  [{ PORT: "'3000'" }, /^PORT starts and ends with quotes/],
  [{ SMTP_URL: 'smtps://', MAIL_FROM: 'a@b.example' }, 'SMTP_URL must name a host'],
  [{ MAIL_FROM: 'a@b <x' }, 'MAIL_FROM must be an email address'],
  [{ MAIL_FROM: 'Lectern' }, 'MAIL_FROM must be an email address'],
  [{ SECRET: 'short' }, 'SECRET'],
  [{ TRUST_PROXY: 'everyone' }, 'TRUST_PROXY'],
  [{ TRUST_PROXY: '10.0.0.0/64' }, 'TRUST_PROXY'],
  [{ MAX_FILES: '0' }, 'MAX_FILES'],
  [{ ACADEMIC_YEAR_START_MONTH: '13' }, 'ACADEMIC_YEAR_START_MONTH'],
  [{ OPERATOR_NAME: 'Ana\nBen' }, 'OPERATOR_NAME'],
  [{ OPERATOR_NAME: 'a'.repeat(101) }, 'OPERATOR_NAME'],
  [{ OPERATOR_TEXT: 'a'.repeat(2001) }, 'OPERATOR_TEXT'],
  [{ OPERATOR_LINKS: 'Privacy' }, /^OPERATOR_LINKS must be name=address pairs .*; “Privacy” is not/],
  [{ OPERATOR_LINKS: 'Privacy=https://a.example,Imprint=/imprint' }, '“Imprint=/imprint” is not'],
  [{ OPERATOR_LINKS: 'Privacy=javascript:alert(1)' }, 'OPERATOR_LINKS'],
  [{ OPERATOR_LINKS: '=https://a.example' }, 'OPERATOR_LINKS'],
  [{ OPERATOR_LINKS: 'Privacy=https://' }, 'OPERATOR_LINKS'],
  [{ OPERATOR_LINKS: 'Privacy=https://a.example,' }, 'OPERATOR_LINKS'],
  [{ OPERATOR_PICTURE: '/picture.png' }, 'OPERATOR_PICTURE'],
  [{ RATE_LIMIT: 'maybe' }, 'RATE_LIMIT'],
  [{ OCR_LANGUAGES: 'eng, klingon' }, 'OCR_LANGUAGES'],
  [{ OCR_LANGUAGES: ',' }, 'OCR_LANGUAGES'],
  [{ ROLE: 'everything' }, /^ROLE must be one of all, web, worker \(see docs\/configuration\.md\)\.$/],
  [{ S3_BUCKET: 'No Bucket' }, /^S3_BUCKET must be the name of a bucket/],
  [{ S3_ENDPOINT: 'https://s3.example.org' }, /^S3_BUCKET must be set when S3_ENDPOINT is/],
  [{ S3_BUCKET: 'notes', S3_ENDPOINT: 's3.example.org' }, /^S3_ENDPOINT must be an http or https address/],
  [{ S3_BUCKET: 'notes', S3_ENDPOINT: 'https://s3.example.org/notes' }, /^S3_ENDPOINT must be a bare origin/],
  [{ S3_BUCKET: 'notes', S3_REGION: 'Europe!' }, /^S3_REGION must be the name of a region/],
  [{ S3_BUCKET: 'notes', S3_FORCE_PATH_STYLE: 'yes' }, 'S3_FORCE_PATH_STYLE'],
  [{ S3_BUCKET: 'notes', AWS_ACCESS_KEY_ID: 'key' }, /^AWS_SECRET_ACCESS_KEY must be set/],
  [{ S3_BUCKET: 'notes', AWS_SECRET_ACCESS_KEY: 'secret' }, /^AWS_ACCESS_KEY_ID must be set/],
  [{ S3_PRESIGNED_DOWNLOADS: 'on' }, /^S3_BUCKET must be set with S3_PRESIGNED_DOWNLOADS=on/],
  [presigned, /^S3_ENDPOINT must use https with S3_PRESIGNED_DOWNLOADS=on/],
  [{ CLAMAV_URL: 'clamav:3310' }, /^CLAMAV_URL must be tcp:\/\/host:3310 or unix:\/run\/clamav\/clamd\.ctl/],
  [{ CLAMAV_URL: 'tcp://clamav:3310/scan' }, /^CLAMAV_URL must be tcp/],
  [{ CLAMAV_URL: 'tcp://clamav:99999' }, /^CLAMAV_URL must be tcp/],
  [{ CLAMAV_URL: 'unix:clamd.ctl' }, /^CLAMAV_URL must be tcp/],
  [{ CLAMAV_URL: 'tcp://clamav', CLAMAV_WHEN_UNAVAILABLE: 'pass' }, 'CLAMAV_WHEN_UNAVAILABLE'],
  [{ CLAMAV_WHEN_UNAVAILABLE: 'wait' }, /^CLAMAV_URL must be set when CLAMAV_WHEN_UNAVAILABLE is/],
  [{ ROLE: 'web' }, 'DATABASE_URL'],
  [{ DATABASE_DIRECT_URL: 'postgres://db/lectern' }, 'DATABASE_URL must be set'],
  [{ DATABASE_REPLICA_URL: 'postgres://db/lectern' }, 'DATABASE_URL must be set when DATABASE_REPLICA_URL is'],
  [{ DATABASE_REPLICA_URL: 'replica.example' }, 'DATABASE_REPLICA_URL must be a postgres:// or postgresql:// address'],
  [{ DATABASE_URL, DATABASE_REPLICA_URL: DATABASE_URL }, 'DATABASE_REPLICA_URL must differ'],
  [{ ROLE: 'worker', DATABASE_URL: 'postgres://db/lectern' }, 'PUBLIC_URL'],
  [{ ROLE: 'web', DATABASE_URL: 'postgres://db/lectern' }, /^SECRET .*$/],
  [{ ROLE: 'worker', DATABASE_URL: 'postgres://db/lectern', PUBLIC_URL: 'https://notes.example.org' }, /^SECRET .*$/],
  [{ ROLE: 'web', DATABASE_URL: 'postgres://db/lectern', SECRET: 'short' }, /^SECRET .*$/],
  [{ NODE_ENV: 'production' }, 'SMTP_URL'],
  [{ NODE_ENV: 'production', SMTP_URL: 'smtp://m', MAIL_FROM: 'a@b.example' }, 'PUBLIC_URL'],
  [{ NODE_ENV: 'production', RATE_LIMIT: 'off' }, 'RATE_LIMIT=off'],
  [{ ...production, PUBLIC_URL: 'http://notes.example.org' }, /^PUBLIC_URL must use https with NODE_ENV=production/],
  [{ ...production, PUBLIC_URL: 'http://localhost.example.org' }, /^PUBLIC_URL must use https/],
  [{ METRICS_PORT: 'x' }, 'METRICS_PORT'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT must differ from PORT'],
  [{ SLOW_QUERY_MS: '0.5' }, 'SLOW_QUERY_MS'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address'],
])('readConfig refuses %j by name', (env, name) => {
  expect(() => readConfig(env)).toThrow(name)
})

it.each([
  [{ DATABASE_URL: 'postgres:///lectern?host=/var/run/postgresql' }, 'databaseUrl'],
  [{ DATABASE_URL: 'postgresql://lectern:pass%23word@db:5432/lectern' }, 'databaseUrl'],
  [{ SMTP_URL: 'smtp://mail', MAIL_FROM: '"Lectern" <notes@example.org>' }, 'smtpUrl'],
  [{ OPERATOR_TEXT: '"Notes for all"' }, 'operatorText'],
])('readConfig takes %j as it is', (env, key) => {
  expect(readConfig(env)).toMatchObject({ [key]: Object.values(env)[0] })
})

it('readConfig reads several links of the operator', () => {
  const OPERATOR_LINKS = 'Privacy notice = https://a.example/?a=b%2Cc, Contact=mailto:us@a.example'
  expect(readConfig({ OPERATOR_LINKS }).operatorLinks).toEqual([
    { name: 'Privacy notice', address: 'https://a.example/?a=b%2Cc' },
    { name: 'Contact', address: 'mailto:us@a.example' },
  ])
  expect(readConfig({}).operatorLinks).toEqual([])
})

const safe = ['http://localhost:3000', 'http://notes.localhost', 'http://127.0.0.1', 'http://[::1]:3000']
it.each(safe)('readConfig takes %s in production: nothing of it goes over a network in the clear', (PUBLIC_URL) => {
  expect(readConfig({ ...production, PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL)
})

it('readConfig takes an S3 for Amazon’s without an endpoint, for another with one, and for none without a bucket', () => {
  const ofAmazon = { endpoint: 'https://s3.eu-central-1.amazonaws.com', forcePathStyle: false, credentials: null }
  expect(readConfig({ S3_BUCKET: 'notes', S3_REGION: 'eu-central-1' }).s3).toMatchObject(ofAmazon)
  const own = { S3_BUCKET: 'notes', S3_ENDPOINT: 'http://s3:7480', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  const ofOthers = { endpoint: 'http://s3:7480', publicEndpoint: 'http://s3:7480', forcePathStyle: true, credentials }
  expect(readConfig(own).s3).toMatchObject({ ...ofOthers, usesPresignedUrls: false })
  expect(readConfig({ AWS_ACCESS_KEY_ID: 'a' }).s3).toBeNull()
})

it.each([
  ['tcp://clamav', { host: 'clamav', port: 3310 }],
  ['tcp://[::1]:3311', { host: '::1', port: 3311 }],
  ['unix:/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ['unix:///run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
])('readConfig takes %s for where a clamd is, and refuses uploads while it is away', (CLAMAV_URL, address) => {
  expect(readConfig({ CLAMAV_URL }).clamav).toEqual({ address, whenUnavailable: 'refuse' })
  const waiting = { address, whenUnavailable: 'wait' }
  expect(readConfig({ CLAMAV_URL, CLAMAV_WHEN_UNAVAILABLE: 'wait' }).clamav).toEqual(waiting)
})

it.each([
  [{ PORT: '99999' }, 'PORT'],
  [{ ...production, RATE_LIMIT: 'maybe', PUBLIC_URL: 'https://notes.example.org' }, 'RATE_LIMIT'],
  [{ ROLE: 'web', DATABASE_URL: 'mysql://db/x', SECRET: 'x'.repeat(32) }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'mysql://db/x', DATABASE_DIRECT_URL: 'postgres://db/x' }, 'DATABASE_URL'],
  [{ ...production, PUBLIC_URL: 'notes.example.org' }, 'PUBLIC_URL'],
  [{ ...production, SMTP_URL: 'mail', PUBLIC_URL: 'https://notes.example.org' }, 'SMTP_URL'],
  [{ S3_BUCKET: 'notes', AWS_ACCESS_KEY_ID: '"key"', AWS_SECRET_ACCESS_KEY: 'secret' }, 'AWS_ACCESS_KEY_ID'],
])('readConfig reports one problem of %j', (env, name) => {
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name} .+$`))
})

it('readConfig reports all problems together, one per line', () => {
  expect(() => readConfig({ PORT: 'x', SECRET: 'x' })).toThrow(/PORT.*\nSECRET/)
})

it.each([
  ['PUBLICURL', 'PUBLIC_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['data_dir_', 'DATA_DIR'],
])('takes %s for a misspelt %s', (name, meant) => {
  expect(findMisspelledVariables({ [name]: 'x' })).toEqual([{ name, meant }])
  expect(findMisspelledVariables({ [name]: 'x', [meant]: 'y' })).toEqual([])
})

it('takes nothing else for misspelt', () => {
  const fine = { HOME: '/', POST: 'x', HOSTNAME: 'x', LOGNAME: 'x', PORT: '1', DATABASE_PATH: 'x' }
  expect(findMisspelledVariables(fine)).toEqual([])
})
