export const en = {
  about:
    'Lectern keeps the conversations and documents of your agents, and finds the passages that answer a question. It is not an agent, and it writes no answers.',
  keyboard: 'Keyboard',
  shortcuts: {
    '/': 'Ask a question, or search conversations',
    j: 'Next conversation',
    k: 'Previous conversation',
    e: 'Close the conversation as succeeded or reviewed',
    l: 'Labels of the conversation',
    '↑ ↓': 'Row above or below in the list of documents, suggestions of a field',
    'PgUp PgDn': 'Ten rows up or down in the list of documents',
    'Home End': 'First and last document of the list',
    '← →': 'Tab beside this one',
    'Ctrl+K': 'Go to a screen, document, conversation or tenant, or do something',
    '?': 'This help',
    Esc: 'Close a dialog',
  },
  close: 'Close',
};
