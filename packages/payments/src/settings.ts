/** For a host that reads its settings together with those of the payments. */
export { identityOf } from './create-payments.js';
export {
  configurePayments,
  list,
  paymentSettingProblems,
  paymentSettings,
  type SettingProblem,
  SIMULATOR,
  textWithout,
  weakSecrets,
  wholeNumber,
} from './payment-settings.js';
