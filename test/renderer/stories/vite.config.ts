import react from '@vitejs/plugin-react'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

// `npx vite --config test/renderer/stories/vite.config.ts`, then open /?story=command&theme=light&locale=zh-CN (stories.tsx has the names).
export default defineConfig({ root: import.meta.dirname, base: './', plugins: [react(), tailwindcss()], worker: { format: 'es' } })
