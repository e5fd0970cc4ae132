import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '../ui/Button'
import { speakerFor, type Speaker } from '../ui/words'

interface Props {
  readonly say: Speaker
  readonly children: ReactNode
}

/** A fault of the window itself: what happened, what is not lost, what to do. Never a blank page. */
export class ErrorBoundary extends Component<Props, { readonly fault: Error | null }> {
  static readonly defaultProps = { say: speakerFor('en') }
  override state: { readonly fault: Error | null } = { fault: null }

  static getDerivedStateFromError(fault: Error): { readonly fault: Error } {
    return { fault }
  }

  override componentDidCatch(fault: Error, info: ErrorInfo): void {
    console.error(fault, info.componentStack) // the main process writes the window's console to its log
  }

  override render(): ReactNode {
    const { fault } = this.state
    const { say } = this.props
    if (!fault) return this.props.children
    return (
      <main className="empty" style={{ height: '100%' }} role="alert">
        <h1 className="strong">{say('ui.crash')}</h1>
        <p className="dim">{say('ui.crash-about')}</p>
        <pre className="code quote" style={{ maxWidth: 800, textAlign: 'left', padding: 12 }}>{fault.message}</pre>
        <span className="row">
          <Button look="primary" onClick={() => window.location.reload()}>{say('ui.reload')}</Button>
          <Button onClick={() => void navigator.clipboard.writeText(`${fault.message}\n${fault.stack ?? ''}`)}>{say('ui.copy-details')}</Button>
        </span>
      </main>
    )
  }
}
