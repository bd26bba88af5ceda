import type { Permission } from '../../api/permission-gate';

/** What each permission is for, a sentence each. */
export const en: Record<Permission, string> = {
  'conversations:read': 'Reads conversations, their messages and their history.',
  'conversations:write': 'Creates, renames and deletes conversations, and sets their status.',
  'messages:write': 'Appends messages to conversations, and creates conversations for them.',
  'retention:read': 'Reads the rules by which conversations are deleted.',
  'retention:write':
    'Sets the rules by which conversations are deleted, and the legal holds that keep conversations.',
  'users:erase': 'Erases everything of a user, and lists these erasures.',
  'documents:read': 'Reads documents, their state and their settings.',
  'documents:write': 'Adds, changes, processes and deletes documents, and uploads files.',
  'chunks:read': 'Reads the chunks of documents.',
  'chunks:write': 'Edits chunks, switches them on and off, and deletes them.',
  search: 'Searches in the datasets within reach.',
  'members:read': 'Lists the members of the tenant and their roles.',
  'members:write': 'Gives roles to members, of no more than its own permissions, and removes members.',
  'keys:admin':
    'Manages keys and webhooks, and reads the audit log. Keys that it makes have at most its own permissions.',
  operations: 'Inspects and repairs the search index, and reads the metrics.',
};
