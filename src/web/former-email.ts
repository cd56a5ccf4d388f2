import { type Fields, readText } from './form-body.js';
import type { RequestContext } from './request-context.js';

/** Returns whether a form asks about its address, once: an admin user replaced it in one of these orders. */
export async function asksAboutEmail(
  { checkout, isFormerEmail }: RequestContext,
  fields: Fields,
  orderIds: readonly string[],
  email: string,
): Promise<boolean> {
  if (readText(fields['email_asked']) === email) return false;
  return (await isFormerEmail?.(checkout.db.queries, orderIds, email)) ?? false;
}
