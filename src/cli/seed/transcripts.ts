import type { RunStatus } from '../../../db/enums.js';

/** A conversation, what was said in it in turns, and what the agent did for its last answer. */
export interface Transcript {
  status: RunStatus;
  topic: string;
  /** Of the user. */
  name: string;
  channel: 'web' | 'email' | 'app';
  /** The user's, then the agent's, and so on. */
  turns: string[];
  /** Steps of the agent, with the milliseconds that each took. */
  trace: [step: string, what: string, ms: number][];
  feedback?: 'up' | 'down';
}

/** One for each status. */
export const TRANSCRIPTS: Transcript[] = [
  {
    status: 'submitted',
    topic: 'Change of delivery address',
    name: 'Alex Meier',
    channel: 'web',
    turns: [
      'Order 1077 should go to my office instead: Harbour Street 12, second floor. Is that still possible?',
    ],
    trace: [],
  },
  {
    status: 'running',
    topic: 'Refund for order 1042',
    name: 'Priya Raman',
    channel: 'web',
    turns: [
      'Where is my refund? The parcel went back two weeks ago.',
      'I see the return in our system. The refund was approved on Monday.',
      'How long does the bank usually take?',
      'Between three and five working days, so it should arrive by Friday.',
      'And if it does not?',
    ],
    trace: [
      ['retrieve', 'returns.md, 3 chunks', 38],
      ['tool', 'orders.get 1042', 210],
    ],
  },
  {
    status: 'succeeded',
    topic: 'Reset of a forgotten password',
    name: 'Tom Becker',
    channel: 'app',
    turns: [
      'I cannot sign in any more.',
      'I have sent a link to the address that is known to us. It is valid for twenty minutes.',
      'Got it, works again. Thank you!',
      'You are welcome. Is there anything else?',
    ],
    trace: [
      ['retrieve', 'Passwords and access, 2 chunks', 31],
      ['tool', 'accounts.sendResetLink', 340],
      ['model', '412 tokens', 900],
    ],
    feedback: 'up',
  },
  {
    status: 'failed',
    topic: 'Export of last year’s invoices',
    name: 'Olga Novak',
    channel: 'email',
    turns: [
      'Please send me all invoices of last year as one file.',
      'I could not make the export: the archive did not answer in time. A colleague has been told.',
    ],
    trace: [
      ['tool', 'invoices.export 2025', 30_000],
      ['error', 'ETIMEDOUT from archive, gave up after 3 attempts', 90_012],
    ],
    feedback: 'down',
  },
  {
    status: 'stopped',
    topic: 'Comparison of the two plans',
    name: 'Ben Carter',
    channel: 'web',
    turns: [
      'What is the difference between Team and Business?',
      'Team has 10 seats and support by e-mail and chat for 49 a month. Business has 50 seats and',
    ],
    trace: [
      ['retrieve', 'plans.csv, 1 chunk', 27],
      ['stop', 'by the user, after 31 tokens', 640],
    ],
  },
  {
    status: 'canceled',
    topic: 'Booking of an on-site visit',
    name: 'Marta Silva',
    channel: 'web',
    turns: [
      'Can somebody look at my coffee machine at home? It shows E7.',
      'Before a visit, please fill the tank and hold the steam button for ten seconds. Did the error go away?',
      'Yes! Then I do not need the visit.',
      'Good. I have cancelled the request; nothing will be charged.',
    ],
    trace: [
      ['retrieve', 'coffee-machine.pdf, page 3', 44],
      ['tool', 'visits.cancel 88', 120],
    ],
    feedback: 'up',
  },
  {
    status: 'input-required',
    topic: 'Warranty claim without a receipt',
    name: 'Jonas Weber',
    channel: 'email',
    turns: [
      'The battery of my device died after ten months. I do not have the receipt any more.',
      'The battery is covered for twelve months. Which e-mail address or phone number did you order with?',
    ],
    trace: [
      ['retrieve', 'Warranty, 2 chunks', 35],
      ['wait', 'for an answer of the user', 0],
    ],
  },
  {
    status: 'partial-succeeded',
    topic: 'Import of 300 contacts',
    name: 'Li Na',
    channel: 'app',
    turns: [
      'Please add the contacts of the attached table.',
      '288 of 300 contacts were added. Twelve have no valid e-mail address; they are listed in the reply.',
      'I will correct those. Can I send them alone?',
      'Yes, only the corrected ones. Nobody is added twice.',
    ],
    trace: [
      ['tool', 'contacts.import 300 rows', 4_100],
      ['warning', '12 rows without a valid address', 3],
    ],
  },
  {
    status: 'review-requested',
    topic: 'Discount for a school',
    name: 'Ines Duarte',
    channel: 'email',
    turns: [
      'We would like to buy 40 air purifiers for our school. Is there a discount?',
      'For 40 devices I can propose 18 per cent. A colleague has to approve that first.',
    ],
    trace: [
      ['tool', 'prices.propose AP-20 x 40', 95],
      ['review', 'requested from sales, above 15 %', 0],
    ],
  },
  {
    status: 'reviewed',
    topic: '包裹延误投诉',
    name: '王芳',
    channel: 'app',
    turns: [
      '我的包裹已经晚了五天，一直显示在途，什么时候能到？',
      '非常抱歉。包裹在分拨中心滞留，我已联系快递公司加急，预计明天下午送达。',
      '好的，希望有补偿。',
      '经主管审核，已向您的账户发放二十元优惠券，有效期三个月。',
    ],
    trace: [
      ['tool', 'parcels.track 20417', 260],
      ['review', '主管已批准补偿', 0],
    ],
    feedback: 'up',
  },
  {
    status: 'unknown',
    topic: '退货运费由谁承担',
    name: '李强',
    channel: 'web',
    turns: [
      '商品有质量问题，退货的运费由谁承担？',
      '商品损坏或发错货时，退货运费由我们承担；其他情况由顾客承担。',
    ],
    trace: [['retrieve', '退货说明.md, 2 chunks', 29]],
  },
];
