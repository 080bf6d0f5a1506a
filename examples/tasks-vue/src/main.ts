import { DomOSPlugin } from '@domos/vue'
import { createApp } from 'vue'
import App from './App.vue'

createApp(App).use(DomOSPlugin, { endpoint: '/adtp' }).mount('#app')
