export const disputesPaths = {
  evidence: '/admin/orders/:number/evidence',
} as const;
