import { useQuery } from '@tanstack/react-query'
import { getMe } from '../../contract/sessions.endpoints.ts'
import { api } from '../api/client.ts'
import { session } from '../session/store.ts'

/**
 * Asks once per visit what the server knows of the student: another device may have liked or viewed since. A session
 * that has ended is noticed here too. Any other failure leaves what is known.
 * @returns whether the answer is still on its way.
 */
export function useFreshProfile(): boolean {
  const { isFetching } = useQuery({
    queryKey: ['profile'],
    queryFn: async ({ signal }) => {
      const { user } = await api.call(getMe, { signal })
      session.setUser(user)
      return null
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return isFetching
}
