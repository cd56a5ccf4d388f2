/** Money is a whole number of centavos. Nothing in this program adds or compares pesos as fractions. */
export type Centavos = number & { readonly __unit: 'centavos' };

/** The one currency of the service (interface.md section 8). */
export const CURRENCY = 'MXN';

/** Accepts a whole, non-negative, safe number of centavos; anything else is a programming error. */
export function centavos(value: number): Centavos {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not an amount in centavos: ${value}`);
  return value as Centavos;
}

/** Unit price times quantity, refused when it leaves the range of exact numbers. */
export function times(unit: Centavos, quantity: number): Centavos {
  return centavos(unit * quantity);
}

/** The sum of amounts, refused when it leaves the range of exact numbers. */
export function sum(amounts: readonly Centavos[]): Centavos {
  return centavos(amounts.reduce((total: number, amount) => total + amount, 0));
}

/** `15000` → `"150.00"`: pesos with two decimals, made from digits and never by division. */
export function toPesosText(amount: Centavos): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const PESOS = /^(\d{1,14})(?:\.(\d{1,2})(0*))?$/;

/**
 * `"150"`, `"150.0"`, `"150.0000"` → 15000 centavos; `undefined` for anything that is not an exact amount
 * (a sign, an exponent, a third decimal other than zero, a number too large to be exact).
 */
export function fromPesosText(text: string): Centavos | undefined {
  const parts = PESOS.exec(text);
  if (!parts) return undefined;
  const [, whole = '', fraction = ''] = parts;
  const value = Number(whole + fraction.padEnd(2, '0'));
  return Number.isSafeInteger(value) ? (value as Centavos) : undefined;
}
