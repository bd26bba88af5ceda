export const en = {
  noAgent: 'not named',
  statuses: {
    submitted: 'Submitted',
    running: 'Running',
    'input-required': 'Input required',
    'review-requested': 'Review requested',
    reviewed: 'Reviewed',
    succeeded: 'Succeeded',
    'partial-succeeded': 'Partly succeeded',
    failed: 'Failed',
    stopped: 'Stopped',
    canceled: 'Cancelled',
    unknown: 'Unknown',
    none: 'No status',
  },
};
