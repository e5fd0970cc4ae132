import { useEffect } from 'react'
import type { Settings } from '../../shared/domain/settings'
import type { Locale } from '../../shared/words/say'
import { useMedia } from './useMedia'

/** Puts theme and language on the document, where the tokens and the screen reader look for them. */
export function useTheme(theme: Settings['theme'], locale: Locale): void {
  const isLight = useMedia('(prefers-color-scheme: light)')
  const shown = theme === 'system' ? (isLight ? 'light' : 'dark') : theme
  useEffect(() => {
    document.documentElement.dataset['theme'] = shown
    document.documentElement.lang = locale
  }, [shown, locale])
}
