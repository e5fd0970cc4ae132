import { Component, lazy, Suspense, type ComponentType, type ReactNode } from 'react'

/** Shows `fallback` instead of a part that threw; the rest of the window goes on. */
class Fallback extends Component<{ readonly fallback: ReactNode; readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}

/** A page whose code comes in a chunk of its own. A fault in it goes up to the window, which says so; it is never a blank page. */
export function lazyPage<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Page = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return function LazyPage(props: Props) {
    return <Suspense fallback={<div className="page" aria-busy />}><Page {...props} /></Suspense>
  }
}

/** A component whose code comes in a chunk of its own; `fallback` is drawn until it is there, and when it cannot be loaded or drawn. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, fallback: (props: Props) => ReactNode): ComponentType<Props> {
  const Part = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return function LazyPart(props: Props) {
    const shown = fallback(props)
    return <Fallback fallback={shown}><Suspense fallback={shown}><Part {...props} /></Suspense></Fallback>
  }
}
