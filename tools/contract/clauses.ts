import type { Clause } from './clause.js';
import { paymentClauses } from './clauses/payments.js';
import { refusalClauses } from './clauses/refusals.js';
import { sessionClauses } from './clauses/sessions.js';

/** All clauses, in the order in which they are tested. */
export const CLAUSES: readonly Clause[] = [...sessionClauses, ...refusalClauses, ...paymentClauses];
