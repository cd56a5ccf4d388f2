/** The field of the cart for a discount code. */

import { centavos } from '@tianguis/payments/rules';
import type { Response } from 'express';
import type { I18n } from '../../locales/i18n.js';
import type { CheckoutContext } from '../../shop/checkout-context.js';
import type { PricedCart } from '../../shop/rules/cart.js';
import type { ClientKeys } from '../../shop/rules/stock.js';
import { findCart, incrementCartVersion, lockCart, setDiscountCode } from '../../tables/carts.js';
import type { LimitKey } from '../../tables/client-limits.js';
import { clientKeysOf, clientOf } from '../../web/client-address.js';
import { readText } from '../../web/form-body.js';
import { limiterOf, reportLimit } from '../../web/middleware/rate-limit.js';
import { paths } from '../../web/paths.js';
import { contextOf } from '../../web/request-context.js';
import type { CartCodeField, LimitingContext, RefusedCode } from '../../web/services.js';
import { storedText } from '../../web/typed-form.js';
import { discountCodes } from './code-uses.js';
import { readCode } from './rules.js';

const TEN_MINUTES_S = 600;
/** Wrong codes. Many customers of a mobile network share one address. */
const SESSION_LIMIT = { name: 'code_session', max: 10, seconds: TEN_MINUTES_S } as const;
const CLIENT_LIMIT = { name: 'code_client', max: 40, seconds: TEN_MINUTES_S } as const;
export const CODE_LIMITS = [SESSION_LIMIT.name, CLIENT_LIMIT.name] as const;

export function createCartCode(web: LimitingContext): CartCodeField {
  const limits = [
    { name: SESSION_LIMIT.name, limiter: limiterOf(web, SESSION_LIMIT), keyOf: (res: Response) => res.req.sessionID },
    { name: CLIENT_LIMIT.name, limiter: limiterOf(web, CLIENT_LIMIT), keyOf: (res: Response) => clientOf(res.req) },
  ] as const;
  const uncount = async (res: Response, counted: readonly (typeof limits)[number][] = limits) => {
    for (const { limiter, keyOf } of counted) await limiter.uncount(keyOf(res));
  };
  /** Counts the code as a wrong one before it is looked up, so that parallel requests cannot exceed the limits. */
  const count = async (res: Response): Promise<RefusedCode | undefined> => {
    for (const [place, { name, limiter, keyOf }] of limits.entries()) {
      const seconds = await limiter.count(keyOf(res) as LimitKey);
      if (seconds === undefined) continue;
      await uncount(res, limits.slice(0, place));
      const { t, duration } = contextOf(res);
      reportLimit(res, name, seconds);
      return { status: 429, typed: '', message: t('discounts.problems.tooMany', { time: duration(seconds) }) };
    }
    return undefined;
  };
  return {
    async apply(res, posted) {
      const { t, checkout } = contextOf(res);
      const { cartId } = res.req.session;
      if (cartId === undefined) return undefined;
      const typed = readText(posted);
      if (typed.trim() === '') return storeCode(checkout, cartId, null);
      const limited = await count(res);
      if (limited) return { ...limited, typed: storedText(typed) };
      const code = await findUsableCode(checkout, typed, { cartId, client: clientKeysOf(res) });
      // Codes that do not exist, have ended or are used up have one answer, which does not show which codes exist.
      if (code === undefined)
        return { status: 422, typed: storedText(typed), message: t('discounts.problems.unusable') };
      await uncount(res);
      return storeCode(checkout, cartId, code);
    },
    section: cartSection,
  };
}

async function findUsableCode(
  { db, clock }: CheckoutContext,
  typed: string,
  customer: { readonly cartId: string; readonly client: ClientKeys | undefined },
): Promise<string | undefined> {
  const code = readCode(typed);
  const found =
    code === undefined ? undefined : await discountCodes.find(db.queries, code, { ...customer, at: clock.now() });
  return found?.terms && code;
}

/** A cart with another code is a changed cart, so it gets another order. */
function storeCode({ db, clock }: CheckoutContext, cartId: string, code: string | null): Promise<undefined> {
  return db.transaction(async (queries) => {
    await lockCart(queries, cartId);
    const cart = await findCart(queries, cartId, clock.now());
    if (!cart || cart.discountCode === code) return undefined;
    await setDiscountCode(queries, cartId, code);
    await incrementCartVersion(queries, cartId, clock.now());
    return undefined;
  });
}

/** Builds the model of src/features/discounts/views/cart.ejs. */
function cartSection({ t, money }: I18n, { discount }: PricedCart, refused: RefusedCode | undefined) {
  const { code, amount = centavos(0), limit } = discount ?? {};
  return {
    view: '/discounts/views/cart',
    model: {
      action: paths.cartDiscount,
      code,
      note: limit && t(`discounts.notes.${limit.reason}`, { min: money(limit.min), amount: money(amount) }),
      typed: refused?.typed ?? '',
      error: refused?.message,
    },
  };
}
