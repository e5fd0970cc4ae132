import './ui/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { cannotBegin, tellBug } from './app/appStore'
import { connect } from './app/connect'

const root = document.getElementById('root')
if (root) {
  window.addEventListener('unhandledrejection', (event) => tellBug(event.reason))
  connect().catch(cannotBegin)
  createRoot(root).render(<App />)
}
