import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { CreationOptions, RequestOptions } from '../../packages/contract/passkeys.ts'

/** Deviations from correct behaviour of an authenticator. */
type Fault = { origin?: string; rpId?: string; isVerified?: boolean; challenge?: string; type?: string }
type Signing = Fault & { signCount?: number; userHandle?: string }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (bytes: Buffer) => bytes.toString('base64url')
const uint16 = (value: number) => Buffer.from([value >> 8, value & 255])

/** Simulates a passkey (ES256, attestation `none`) that follows WebAuthn except for the given fault. */
export function createAuthenticator(origin = 'http://localhost:3000') {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  let handle = ''

  function clientData(type: string, challenge: string, { isVerified: _, rpId: __, ...fault }: Fault) {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...fault }))
  }

  function authenticatorData(rpId: string, signCount: number, fault: Fault, attested?: Buffer): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(signCount)
    const flags = 1 | (fault.isVerified === false ? 0 : 4) | (attested ? 64 : 0)
    return Buffer.concat([sha256(fault.rpId ?? rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
  }

  /** Encodes a COSE key in CBOR. */
  function encodeKey(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const part = (label: number, value: string) => [Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')]
    return Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1]), ...part(0x21, x), ...part(0x22, y)])
  }

  const id = text(credentialId)
  const frame = { id, rawId: id, type: 'public-key' as const }
  return {
    id,
    /** Simulates `navigator.credentials.create`. */
    create(options: CreationOptions, fault: Fault = {}) {
      handle = options.user.id
      const attested = Buffer.concat([Buffer.alloc(16), uint16(credentialId.length), credentialId, encodeKey()])
      const data = authenticatorData(options.rp.id, 0, fault, attested)
      // A map of three entries in CBOR.
      const head = Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59', 'latin1')
      const attestationObject = text(Buffer.concat([head, uint16(data.length), data]))
      const clientDataJSON = text(clientData('webauthn.create', options.challenge, fault))
      return { ...frame, response: { clientDataJSON, attestationObject, transports: ['internal'] } }
    },
    /** Simulates `navigator.credentials.get`. */
    get(options: RequestOptions, { signCount = 0, userHandle = handle, ...fault }: Signing = {}) {
      const data = authenticatorData(options.rpId, signCount, fault)
      const client = clientData('webauthn.get', options.challenge, fault)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const signed = { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) }
      return { ...frame, response: { ...signed, userHandle } }
    },
  }
}
