import { useEffect, useRef, useState, type ReactNode } from 'react'

/** Room for something that is only begun once it comes near what is seen. */
export function Lazily({ className, children }: { readonly className?: string; readonly children: (isNear: boolean) => ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element || isNear) return
    const seen = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting || entry.intersectionRatio > 0)) setIsNear(true) }, { rootMargin: '200px' })
    seen.observe(element)
    return () => seen.disconnect()
  }, [isNear])
  return <div ref={place} className={className}>{children(isNear)}</div>
}
