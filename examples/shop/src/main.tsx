import { applyKeptTheme } from './parts/theme.tsx'
import './styles/index.css'

applyKeptTheme()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')

// A phone that is only a microphone loads none of the shop.
const isPhone = /\/phone\/?$/.test(location.pathname)
const { open } = isPhone ? await import('./phone/open.tsx') : await import('./shop/open.tsx')
open(root)
