/**
 * Paths of the shop. Routes use the patterns of `paths`, such as `/orders/:token`. Links and redirects to one record use the
 * functions. Public pages have one path per locale: see locale-path.ts.
 */
import type { Order } from '../db/orders.js';
import type { Product } from '../shop/rules/product.js';

export const paths = {
  home: '/',
  product: '/products/:slug',
  contentPage: '/pages/:slug',
  cart: '/cart',
  cartItems: '/cart/items',
  cartItem: '/cart/items/:product_id',
  checkout: '/checkout',
  hostedCheckout: '/checkout/hosted',
  cardCheckout: '/checkout/card',
  cardAccessToken: '/checkout/card/access-token',
  paymentReturns: '/checkout/return',
  orders: '/orders',
  order: '/orders/:token',
  orderStatus: '/orders/:token/status',
  payLink: '/orders/:token/pay',
  payLinkHosted: '/orders/:token/pay/hosted',
  payLinkCard: '/orders/:token/pay/card',
  payLinkAccessToken: '/orders/:token/pay/card/access-token',
  payLinkCart: '/orders/:token/pay/cart',
  cancelOwnOrder: '/orders/:token/cancel',
  invoice: '/orders/:token/invoice',
  invoiceLink: '/orders/:token/invoice/link',
  setPassword: '/set-password/:token',
  language: '/language',
  picture: '/pictures/:hash',
  sizedPicture: '/pictures/:hash/:width',
  problem: '/problem',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  favicon: '/favicon.ico',
  liveness: '/healthz',
  readiness: '/readyz',
  metrics: '/metrics',
} as const;

/** Paths of the back office. A route also needs its entry in src/admin/permissions.ts. */
export const adminPaths = {
  overview: '/admin',
  signIn: '/admin/sign-in',
  signOut: '/admin/sign-out',
  problem: '/admin/problem',
  orders: '/admin/orders',
  newOrder: '/admin/orders/new',
  ordersCsv: '/admin/orders.csv',
  packingSlips: '/admin/orders/packing-slips',
  order: '/admin/orders/:number',
  packingSlip: '/admin/orders/:number/packing-slip',
  checkPayment: '/admin/orders/:number/check',
  resendReceipt: '/admin/orders/:number/receipt',
  cancelOrder: '/admin/orders/:number/cancel',
  paymentLink: '/admin/orders/:number/link',
  retryJob: '/admin/orders/:number/jobs',
  decision: '/admin/orders/:number/decision',
  fulfillment: '/admin/orders/:number/fulfillment',
  address: '/admin/orders/:number/address',
  note: '/admin/orders/:number/note',
  eraseCustomer: '/admin/orders/:number/erase',
  refundForm: '/admin/orders/:number/refund',
  refunds: '/admin/orders/:number/refunds',
  refund: '/admin/orders/:number/refunds/:id',
  products: '/admin/products',
  // Not below the list: `new` may be the id of a product.
  newProduct: '/admin/products-new',
  product: '/admin/products/:id',
  deleteProduct: '/admin/products/:id/delete',
  productPictures: '/admin/products/:id/pictures',
  productStock: '/admin/products/:id/stock',
  releaseProduct: '/admin/products/:id/release',
  endLinks: '/admin/products/:id/end-links',
  users: '/admin/users',
  user: '/admin/users/:name',
  userRole: '/admin/users/:name/role',
  userState: '/admin/users/:name/state',
  resetUser: '/admin/users/:name/reset',
  account: '/admin/account',
  accountPassword: '/admin/account/password',
  secondFactor: '/admin/account/factor',
  removeSecondFactor: '/admin/account/factor/remove',
  recoveryCodes: '/admin/account/codes',
} as const;

export function productPath({ slug }: Pick<Product, 'slug'>): string {
  return `/products/${slug}`;
}

export function contentPagePath(slug: string): string {
  return `/pages/${slug}`;
}

export function orderPath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}`;
}

export function orderStatusPath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}/status`;
}

export function payLinkPath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}/pay`;
}

export function invoicePath({ token }: Pick<Order, 'token'>): string {
  return `/orders/${token}/invoice`;
}

export function adminOrderPath({ number }: Pick<Order, 'number'>): string {
  return `/admin/orders/${number}`;
}

export function adminProductPath({ id }: Pick<Product, 'id'>): string {
  return `/admin/products/${id}`;
}

export function adminUserPath({ name }: { readonly name: string }): string {
  return `/admin/users/${name}`;
}

export function setPasswordPath(token: string): string {
  return `/set-password/${token}`;
}
