/** The states by their part of ISO 3166-2:MX, with the ranges of the first two digits of their postal codes. */
const POSTAL_CODES = {
  AGU: [20, 20],
  BCN: [21, 22],
  BCS: [23, 23],
  CAM: [24, 24],
  CHP: [29, 30],
  CHH: [31, 33],
  CMX: [0, 16],
  COA: [25, 27],
  COL: [28, 28],
  DUR: [34, 35],
  GUA: [36, 38],
  GRO: [39, 41],
  HID: [42, 43],
  JAL: [44, 49],
  MEX: [50, 57],
  MIC: [58, 61],
  MOR: [62, 62],
  NAY: [63, 63],
  NLE: [64, 67],
  OAX: [68, 71],
  PUE: [72, 75],
  QUE: [76, 76],
  ROO: [77, 77],
  SLP: [78, 79],
  SIN: [80, 82],
  SON: [83, 85],
  TAB: [86, 86],
  TAM: [87, 89],
  TLA: [90, 90],
  VER: [91, 96],
  YUC: [97, 97],
  ZAC: [98, 99],
} as const satisfies Readonly<Record<string, readonly [first: number, last: number]>>;

export type StateCode = keyof typeof POSTAL_CODES;
/** In alphabetical order of the Spanish names. */
export const STATE_CODES = Object.keys(POSTAL_CODES) as readonly StateCode[];

/** Returns the state with this code, or `undefined`. */
export function readState(code: unknown): StateCode | undefined {
  return STATE_CODES.find((state) => state === code);
}

/** Returns whether a postal code of five digits may belong to the state, by its first two digits. */
export function isPostalCodeOf(state: StateCode, postalCode: string): boolean {
  const [first, last] = POSTAL_CODES[state];
  const start = Number(postalCode.slice(0, 2));
  return start >= first && start <= last;
}
