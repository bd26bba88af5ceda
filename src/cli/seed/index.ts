export { seedConversations } from './conversations.js';
export { DEMO } from './demo-tenant.js';
export { seedDocuments } from './documents.js';
