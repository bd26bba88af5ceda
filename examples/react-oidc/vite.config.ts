import { defineConfig } from 'vite';

// The provider of the demonstration sends users back to this address, and the server lets its pages call.
const address = { host: '127.0.0.1', port: 5173, strictPort: true };

export default defineConfig({ server: address, preview: address });
