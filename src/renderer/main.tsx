import './ui/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { connect } from './app/connect'

const root = document.getElementById('root')
if (root) {
  void connect()
  createRoot(root).render(<App />)
}
