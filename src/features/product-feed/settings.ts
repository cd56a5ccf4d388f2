/** The merchant may change it in the back office. */
export function toConfig(_settings: object) {
  return {
    /** Whether the products have neither GTIN nor MPN, as handmade ones. */
    hasNoIdentifiers: false,
  };
}
