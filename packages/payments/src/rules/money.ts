/** Money in integer centavos. Fractional pesos are never added or compared. */
export type Centavos = number & { readonly __unit: 'centavos' };

/** The only currency of the gateway (docs/gateway-interface.md section 8). */
export const CURRENCY = 'MXN';

/** Converts a non-negative safe integer to centavos. Throws a `RangeError` for any other number. */
export function centavos(value: number): Centavos {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`not an amount in centavos: ${value}`);
  return value as Centavos;
}

/** Returns unit price times quantity. Throws a `RangeError` if the result is not a safe integer. */
export function times(unit: Centavos, quantity: number): Centavos {
  return centavos(unit * quantity);
}

/** Returns the sum of amounts. Throws a `RangeError` if the result is not a safe integer. */
export function sum(amounts: readonly Centavos[]): Centavos {
  return centavos(amounts.reduce((total: number, amount) => total + amount, 0));
}

/** `15000` → `"150.00"`: pesos with two decimals, formatted from the digits without a division. */
export function toPesosText(amount: Centavos): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Returns whether an amount has a comma before its decimals, or points between its thousands: `1.250,00`, `10,5`, `1.250`. Such
 * an amount is refused, because it could mean two.
 */
export function hasForeignSeparators(text: string): boolean {
  return /,\d{1,2}$|\.\d{3}(?:[.,]|$)/.test(text.trim());
}

const PESOS = /^(\d{1,14})(?:\.(\d{1,2})(0*))?$/;

/**
 * `"150"`, `"150.0"`, `"150.0000"` → 15000 centavos. Returns `undefined` for any text that is not an exact amount. That
 * includes a sign, an exponent, a third decimal other than zero, and a number above the safe integers.
 */
export function fromPesosText(text: string): Centavos | undefined {
  const parts = PESOS.exec(text);
  if (!parts) return undefined;
  const [, whole = '', fraction = ''] = parts;
  const value = Number(whole + fraction.padEnd(2, '0'));
  return Number.isSafeInteger(value) ? (value as Centavos) : undefined;
}

const AMOUNT = /^\$?\s*(?:\d{1,14}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/;

/** Parses pesos such as `$1,099.00`. A comma separates thousands only, because `10,50` could mean two amounts. */
export function readAmount(text: string): Centavos | undefined {
  return AMOUNT.test(text) ? fromPesosText(text.replaceAll(/[$,\s]/g, '')) : undefined;
}
