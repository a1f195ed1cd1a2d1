import { thumbnailParams } from './documents.ts'
import { endpointsOf } from './endpoint.ts'

const define = endpointsOf('notes')

export const getThumbnail = define('GET', '/api/thumbnails/:key/:file', {
  summary: 'Get the preview of a note’s first page',
  description: 'Needs the key and no login: pages show the preview as an image, which carries no token.',
  public: true,
  params: thumbnailParams,
  responses: { 200: { file: 'image/webp', description: 'The preview' } },
  errorCodes: ['thumbnail_not_found'],
})
