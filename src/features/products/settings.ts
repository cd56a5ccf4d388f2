/** The merchant may change it in the back office. */
export function toConfig(_settings: object) {
  return {
    /** Up to this stock a product has few pieces. */
    lowStock: 5,
  };
}
