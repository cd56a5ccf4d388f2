import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'Two-step verification',
  off: 'Without it, your password is enough to sign in. With it, you also need a code from your phone.',
  on: 'Active: a code from your authenticator app is needed to sign in.',
  codesLeft_one: 'You have {{count}} recovery code left.',
  codesLeft_other: 'You have {{count}} recovery codes left.',
  password: 'Current password',
  setUp: 'Turn on two-step verification',
  renew: 'Change the phone or the app',
  remove: 'Remove two-step verification',
  renewCodes: 'Create new recovery codes',
  scan: '1. Scan this code with an authenticator app, for example Google Authenticator, Aegis or 1Password.',
  qr: 'QR code for the authenticator app',
  openApp: 'If the app is on this phone, open it here',
  manual: 'Cannot scan it? Enter this key in the app:',
  confirmStep: '2. Enter the 6-digit code that the app shows. Until then nothing changes.',
  code: 'Code from the app',
  confirm: 'Confirm',
  codesTitle: 'Recovery codes',
  codesHint:
    'Keep them in a safe place, for example on paper. If you lose the phone, each works once instead of the code from the app. They are not shown again.',
  done: 'I saved them',
  removed: 'Two-step verification was removed.',
  problems: {
    password: 'The password is not correct.',
    code: 'This code is incorrect or was used before. Wait for the next one.',
    again: 'Enter your password and start again: the previous step has expired.',
  },
  signIn: {
    code: 'Code from your authenticator app',
    codeHint: 'It has 6 digits and changes every 30 seconds.',
    wrongCode: 'This code is incorrect or was used before. Wait for the next one.',
    unreadable:
      'The shop can no longer read your two-step verification, because SESSION_SECRET changed. On the server, run npm run admin -- totp with your user name and --enable.',
    useRecovery: 'Use a recovery code',
    useCode: 'Use the code from the app',
    recovery: 'Recovery code',
    recoveryHint: 'One of the 10 that you saved. Each works once.',
    again: 'Sign in as another user',
  },
};
