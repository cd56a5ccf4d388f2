import { createHmac } from 'node:crypto';

/** Other names for ids and references: the same for the same, and nobody without the secret finds the way back. */
export interface Pseudonyms {
  /** `‹id 3f9a1c2b4d5e6f70›`; one text per text. */
  text(value: string): string;
  /** A whole number of at most nine digits, for an id that is a number. */
  number(value: number): number;
}

const MOST = 999_999_999;

/** Processes with the same secret give the same names, so their recordings fit together. */
export function createPseudonyms(secret: string): Pseudonyms {
  const key = createHmac('sha256', secret).update('recorded exchanges').digest();
  const digest = (value: string) => createHmac('sha256', key).update(value).digest();
  return {
    text: (value) => `‹id ${digest(`text ${value}`).toString('hex', 0, 8)}›`,
    number: (value) => 1 + (digest(`number ${value}`).readUIntBE(0, 6) % MOST),
  };
}
