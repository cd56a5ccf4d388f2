/** Which unpaid orders set stock aside. Pure rules, over all orders of one client address and one product. */

/** After a reservation ended without a payment, its address sets nothing of the product aside for 100 min. */
export const COOLDOWN_MS = 100 * 60_000;
/** Part of the stock on hand that the unpaid orders of one address hold, beside its first order. */
const ADDRESS_SHARE = 1 / 4;
/** How much more an IPv6 /48 network holds than one of its addresses. */
const NETWORK_FACTOR = 4;

/** The names of a client in limits and reservations, or their hashes. */
export interface ClientKeys {
  /** An IPv4 address, or an IPv6 /64 network, which one customer has. */
  readonly addressKey: string;
  /** An IPv6 /56 network, which one site has. Empty for IPv4. */
  readonly siteKey: string;
  /** An IPv6 /48 network. Empty for IPv4. */
  readonly networkKey: string;
}

/** How much more than one address a network may do. One client may have many addresses of it, as other customers may. */
export const CLIENT_LEVELS = [
  { member: 'addressKey', factor: 1 },
  { member: 'siteKey', factor: 2 },
  { member: 'networkKey', factor: 4 },
] as const satisfies readonly { readonly member: keyof ClientKeys; readonly factor: number }[];

/** Pieces of one product that an unpaid order holds, or held in the last 100 min. */
export interface HeldPieces {
  readonly orderId: string;
  readonly addressKey: string;
  readonly quantity: number;
  readonly expiresAt: number;
}

/**
 * Returns whether a new order sets its pieces of a product aside. `held`: what other orders of the same address or network
 * hold or held in the last 100 min. The first order of an address may hold the last pieces.
 */
export function maySetAside(
  { quantity, stock }: { readonly quantity: number; readonly stock: number },
  { addressKey }: Pick<ClientKeys, 'addressKey'>,
  held: readonly HeldPieces[],
  now: number,
): boolean {
  const isWithin = (pieces: readonly HeldPieces[], factor: number) => {
    const active = pieces.filter(({ expiresAt }) => expiresAt > now).toSorted(byAge);
    const ended = new Set(pieces.filter(({ expiresAt }) => expiresAt <= now).map(({ orderId }) => orderId));
    const limit = Math.max(Math.floor(stock * ADDRESS_SHARE), active[0]?.quantity ?? quantity);
    const total = active.reduce((sum, each) => sum + each.quantity, quantity);
    return ended.size < factor && total <= limit * factor;
  };
  const ofAddress = held.filter((each) => each.addressKey === addressKey);
  return isWithin(ofAddress, 1) && isWithin(held, NETWORK_FACTOR);
}

/** Order ids begin with their time. */
function byAge(one: HeldPieces, other: HeldPieces): number {
  return one.orderId < other.orderId ? -1 : 1;
}
