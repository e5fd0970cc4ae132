import './ui/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { cannotBegin } from './app/appStore'
import { connect } from './app/connect'

const root = document.getElementById('root')
if (root) {
  connect().catch(cannotBegin)
  createRoot(root).render(<App />)
}
