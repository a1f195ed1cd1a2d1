import { thumbnailParams } from './documents.ts'
import { defineEndpoint } from './endpoint.ts'

export const getThumbnail = defineEndpoint({
  method: 'GET',
  path: '/api/thumbnails/:key/:file',
  tag: 'notes',
  summary: 'The picture of a note’s first page',
  description: 'Answers `image/webp`, for whoever knows the key: pages show it as an image, which carries no token.',
  public: true,
  params: thumbnailParams,
  answers: { 200: { file: 'image/webp', meaning: 'The picture' } },
  refusals: ['invalid_input', 'thumbnail_not_found'],
})
