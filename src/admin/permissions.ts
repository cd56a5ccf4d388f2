/** Which roles may use which route of the back office. A route that is missing here is refused. */
import type { Role } from '../domain/admin-user.js';

const EVERY_ROLE = ['viewer', 'fulfillment', 'manager'] as const;
const FULFILLMENT = ['fulfillment', 'manager'] as const;
const MANAGER = ['manager'] as const;

export const PERMISSIONS = {
  'GET /admin': EVERY_ROLE,
  'POST /admin/sign-out': EVERY_ROLE,
  'GET /admin/orders': EVERY_ROLE,
  'GET /admin/orders/:number': EVERY_ROLE,
  'POST /admin/orders/:number/fulfillment': FULFILLMENT,
  'GET /admin/orders/:number/packing-slip': FULFILLMENT,
  // The file holds personal data of many customers.
  'GET /admin/orders.csv': MANAGER,
  'POST /admin/orders/:number/check': MANAGER,
  'POST /admin/orders/:number/jobs': MANAGER,
  'POST /admin/orders/:number/decision': MANAGER,
  'POST /admin/orders/:number/address': FULFILLMENT,
  'POST /admin/orders/:number/receipt': MANAGER,
  'POST /admin/orders/:number/cancel': MANAGER,
  'POST /admin/orders/:number/erase': MANAGER,
  'GET /admin/orders/:number/refund': MANAGER,
  'POST /admin/orders/:number/refund': MANAGER,
  'POST /admin/orders/:number/refunds': MANAGER,
  'POST /admin/orders/:number/refunds/:id': MANAGER,
  'GET /admin/products': EVERY_ROLE,
  'GET /admin/products/:id': FULFILLMENT,
  'POST /admin/products/:id': MANAGER,
  'POST /admin/products/:id/stock': FULFILLMENT,
  'GET /admin/users': MANAGER,
} as const satisfies Readonly<Record<`${'GET' | 'POST'} /admin${string}`, readonly Role[]>>;

type AdminRoute = keyof typeof PERMISSIONS;

/** The signed-in user, for routes and views. */
export interface AdminAccess {
  readonly name: string;
  readonly role: Role;
  /** Whether the user may use the route. Views hide the buttons of other routes. */
  readonly can: (route: AdminRoute) => boolean;
}

export function accessOf({ name, role }: Pick<AdminAccess, 'name' | 'role'>): AdminAccess {
  return { name, role, can: (route) => isAllowed(role, route) };
}

export function isAllowed(role: Role, route: string): boolean {
  if (!Object.hasOwn(PERMISSIONS, route)) return false;
  const roles: readonly Role[] = PERMISSIONS[route as AdminRoute];
  return roles.includes(role);
}
