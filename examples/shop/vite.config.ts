import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The server offers the shop at /demo/. Our own condition takes the workspace packages from their sources; naming any drops
// Vite's own list, hence the other three.

const peer = process.env.DOMOS_ENDPOINT ?? 'ws://127.0.0.1:3000'
const proxy = {
  '/adtp': { target: peer, ws: true },
  '/audio': { target: peer, ws: true },
  '/healthz': { target: peer.replace(/^ws/, 'http') },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/demo/',
  plugins: [react()],
  resolve: { conditions: ['@domos/source', 'module', 'browser', 'development'] },
  build: { target: 'es2023', sourcemap: false, chunkSizeWarningLimit: 600 },
  server: { proxy },
  preview: { proxy },
})
