import {
  Activity,
  Database,
  FileText,
  KeyRound,
  LayoutDashboard,
  MessagesSquare,
  ScrollText,
  Search,
  Users,
  Webhook,
} from 'lucide-react';

/** The screens of the navigation, in its order, with the keys that lead there. */
export const screens = [
  { path: '/overview', keys: 'g o', Icon: LayoutDashboard },
  { path: '/documents', keys: 'g d', Icon: FileText },
  { path: '/datasets', keys: 'g t', Icon: Database },
  { path: '/search', keys: 'g s', Icon: Search },
  { path: '/conversations', keys: 'g c', Icon: MessagesSquare },
  { path: '/operations', keys: 'g p', Icon: Activity },
  { path: '/keys', keys: 'g k', Icon: KeyRound },
  { path: '/members', keys: 'g m', Icon: Users },
  { path: '/webhooks', keys: 'g w', Icon: Webhook },
  { path: '/audit', keys: 'g a', Icon: ScrollText },
] as const;
