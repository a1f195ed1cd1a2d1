import { useSearchParams } from 'react-router'
import * as paths from '../../platform/paths.ts'

/** Where one goes on after the login, as the address of an account page names it; else the home page. */
export function useReturnTo(): string {
  const [params] = useSearchParams()
  return paths.safeNext(params.get('next'), location.origin)
}
