import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import type { RefusedForm } from '../../web/form.js';
import { redirectToResult } from '../../web/form-page.js';
import { contextOf } from '../../web/request-context.js';
import { redirectToForm } from '../../web/typed-form.js';
import { changeSettings } from '../shop-settings/change-settings.js';
import { shopSettingsPaths } from '../shop-settings/paths.js';
import type { UploadedFile } from '../uploads/read-upload.js';
import { receiveUpload, reportRefusal } from '../uploads/receive-upload.js';
import { problemText } from './file-part.js';
import { readSettingsFile, SETTINGS_FILE_LIMIT, writeSettingsFile } from './settings-file.js';

/** Sends the file of all settings. */
export function sendSettings(_req: Request, res: Response): void {
  const context = contextOf(res);
  res.attachment('tienda.json').send(writeSettingsFile(context, context.storedSettings));
}

/** Imports the posted file of settings. */
export async function importSettings(_req: Request, res: Response): Promise<void> {
  const busy = { status: 429, result: 'busy' } as const;
  await receiveUpload(res, (file) => (file === 'busy' ? refuse(res, busy) : importFile(res, file)));
}

/** Stores all values of the file as one change, or none. */
async function importFile(res: Response, file: UploadedFile): Promise<void> {
  const context = contextOf(res);
  const { checkout } = context;
  const isFile = Buffer.isBuffer(file) && file.length <= SETTINGS_FILE_LIMIT;
  const reading = readSettingsFile(context, isFile ? file.toString('utf8') : '');
  if ('problems' in reading) {
    reportRefusal(res, reading.problems[0]?.problem ?? '');
    const errors = reading.problems.map((each) => ({ field: 'file', message: problemText(context, each) }));
    return refuse(res, { status: 422, result: 'refused', errors });
  }
  const input = { values: reading.values, by: adminOf(res).name, kind: 'imported' as const };
  const { kind } = await changeSettings(checkout, input, checkout.clock.now());
  if (kind === 'changed_meanwhile' || kind === 'sample') return refuse(res, { status: 409, result: kind });
  return redirectToResult(res, shopSettingsPaths.shop, kind);
}

/** The messages name what the file has, which no rule of a field checked. */
function refuse(res: Response, form: Omit<RefusedForm, 'typed' | 'errors'> & Partial<RefusedForm>): Promise<void> {
  return redirectToForm(res, shopSettingsPaths.shop, { typed: {}, errors: [], ...form } satisfies RefusedForm);
}
