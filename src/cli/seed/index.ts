export { seedConversations } from './conversations.js';
export { DEMO } from './demo.js';
export { seedDocuments } from './documents.js';
