import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { postedText } from '../../web/form-body.js';
import { contextOf } from '../../web/request-context.js';
import { changeSettings, type SettingsInput, type SettingsResult } from './change-settings.js';

/** Stores what a form of the user changes. Its field `version` is the version of the settings that the user saw. */
export function saveSettings(
  req: Request,
  res: Response,
  change: Pick<SettingsInput, 'values' | 'afterwards'>,
): Promise<SettingsResult> {
  const { checkout } = contextOf(res);
  const typed = postedText(req, 'version');
  // Without a version no form was shown, and each change is a later one.
  const seenVersion = /^\d{1,9}$/.test(typed) ? Number(typed) : -1;
  const input = { ...change, seenVersion, by: adminOf(res).name, kind: 'changed' as const };
  return changeSettings(checkout, input, checkout.clock.now());
}
