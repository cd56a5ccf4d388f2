import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { contextOf } from '../../web/request-context.js';
import { forgetForm, redirectToForm } from '../../web/typed-form.js';
import { changeSettings } from '../shop-settings/change-settings.js';
import { shopSettingsPaths } from '../shop-settings/paths.js';
import type { UploadedFile } from '../uploads/read-upload.js';
import { receiveUpload, reportRefusal } from '../uploads/receive-upload.js';
import type { ImportForm } from './file-part.js';
import { settingsFilePath } from './paths.js';
import { readSettingsFile, SETTINGS_FILE_LIMIT, writeSettingsFile } from './settings-file.js';

/** Adds the file of all settings: its download and its import. */
export function addFileRoutes(app: AdminRouter): void {
  app.get(settingsFilePath, sendFile);
  app.post(settingsFilePath, async (_req, res) => {
    await receiveUpload(res, (file) => (file === 'busy' ? refuse(res, { result: file }) : importFile(res, file)));
  });
}

function sendFile(_req: Request, res: Response): void {
  const context = contextOf(res);
  res.attachment('tienda.json').send(writeSettingsFile(context, context.storedSettings));
}

/** Stores all values of the file as one change, or none. */
async function importFile(res: Response, file: UploadedFile): Promise<void> {
  const context = contextOf(res);
  const { checkout } = context;
  const isFile = Buffer.isBuffer(file) && file.length <= SETTINGS_FILE_LIMIT;
  const reading = readSettingsFile(context, isFile ? file.toString('utf8') : '');
  if ('problems' in reading) {
    reportRefusal(res, reading.problems[0]?.problem ?? '');
    return refuse(res, { result: 'refused', problems: reading.problems });
  }
  const input = { values: reading.values, by: adminOf(res).name, kind: 'imported' as const };
  const { kind } = await changeSettings(checkout, input, checkout.clock.now());
  if (kind === 'changed_meanwhile' || kind === 'sample') return refuse(res, { result: kind });
  await forgetForm(res, shopSettingsPaths.shop);
  res.redirect(303, `${shopSettingsPaths.shop}?result=${kind}`);
}

function refuse(res: Response, form: ImportForm): Promise<void> {
  return redirectToForm(res, shopSettingsPaths.shop, form);
}
