import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query holds, and again when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback((listener: () => void) => {
    const media = window.matchMedia(query)
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }, [query])
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
