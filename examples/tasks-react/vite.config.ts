import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Our own condition takes the workspace packages from their sources; naming any drops Vite's own list, hence the others.

const peer = process.env.DOMOS_ENDPOINT ?? 'ws://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['@domos/source', 'module', 'browser', 'development'] },
  build: { target: 'es2023', sourcemap: false },
  server: { proxy: { '/adtp': { target: peer, ws: true } } },
})
