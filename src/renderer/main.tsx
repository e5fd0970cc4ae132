import './ui/base.css'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { cannotBegin, tellBug } from './app/appStore'
import { connect } from './app/connect'

const root = document.getElementById('root')
if (root) {
  window.addEventListener('unhandledrejection', (event) => tellBug(event.reason))
  connect().catch(cannotBegin)
  // Drawn before the page counts as loaded: a key that is pressed in the first moment is not lost.
  flushSync(() => createRoot(root).render(<App />))
}
