import { useSearchParams } from 'react-router'
import * as paths from '../../platform/paths.ts'

/** The page to open after the login, from `?next=` or the home page. */
export function useReturnTo(): string {
  const [params] = useSearchParams()
  return paths.safeNext(params.get('next'), location.origin)
}
