import type { Observer } from '../observe/observer.ts'
import type { FileStorage } from './storage.ts'

/** A storage whose operations are measured. What is read is measured until its first byte: who reads may be slow. */
export function observeStorage(storage: FileStorage, { measure, metrics }: Observer): FileStorage {
  const observed = <T>(operation: string, run: () => Promise<T>, outcomeOf?: (result: T) => string) => {
    const kind = { histogram: metrics.storageCalls, name: `storage ${operation}`, labels: { operation } }
    return measure(kind, run, outcomeOf)
  }
  const isThere = (found: unknown) => (found === null ? 'missing' : 'ok')
  for (const operation of ['put', 'get', 'size', 'delete', 'check']) {
    for (const outcome of ['ok', 'failed']) metrics.storageCalls.zero({ operation, outcome })
  }
  return {
    ...storage,
    put: (key, file) => observed('put', () => storage.put(key, file)),
    get: (key, range) => observed('get', () => storage.get(key, range), isThere),
    copyTo: (key, path) =>
      observed(
        'get',
        () => storage.copyTo(key, path),
        (isCopied) => (isCopied ? 'ok' : 'missing'),
      ),
    sizeOf: (key) => observed('size', () => storage.sizeOf(key), isThere),
    delete: (key) => observed('delete', () => storage.delete(key)),
    check: () => observed('check', () => storage.check()),
  }
}
