import { useEffect, useRef, useState, type ReactNode } from 'react'
import { whenSeen } from './whenSeen'

const nearPixels = 200

/** Room for something that is only begun once it comes near what is seen. */
export function Lazily({ className, children }: { readonly className?: string; readonly children: (isNear: boolean) => ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => (place.current ? whenSeen(place.current, () => setIsNear(true), nearPixels) : undefined), [])
  return <div ref={place} className={className}>{children(isNear)}</div>
}
