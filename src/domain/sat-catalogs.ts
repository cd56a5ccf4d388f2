/** Tax regimes and uses of an invoice (CFDI 4.0), as the tax authority (SAT) names them. */

export type ReceiverKind = 'company' | 'person';

interface TaxRegime {
  /** The SAT's name, which is Spanish in every locale. */
  readonly name: string;
  readonly kinds: readonly ReceiverKind[];
  /** The SAT accepts the purchase as an expense of the receiver. */
  readonly hasExpenses: boolean;
}

const COMPANY = ['company'] as const;
const PERSON = ['person'] as const;

/** The common tax regimes of the SAT's catalog c_RegimenFiscal. Add a missing one here. */
export const TAX_REGIMES = {
  '601': { name: 'General de Ley Personas Morales', kinds: COMPANY, hasExpenses: true },
  '603': { name: 'Personas Morales con Fines no Lucrativos', kinds: COMPANY, hasExpenses: true },
  '605': { name: 'Sueldos y Salarios e Ingresos Asimilados a Salarios', kinds: PERSON, hasExpenses: false },
  '606': { name: 'Arrendamiento', kinds: PERSON, hasExpenses: true },
  '607': { name: 'Régimen de Enajenación o Adquisición de Bienes', kinds: PERSON, hasExpenses: false },
  '608': { name: 'Demás ingresos', kinds: PERSON, hasExpenses: false },
  '611': { name: 'Ingresos por Dividendos (socios y accionistas)', kinds: PERSON, hasExpenses: false },
  '612': {
    name: 'Personas Físicas con Actividades Empresariales y Profesionales',
    kinds: PERSON,
    hasExpenses: true,
  },
  '614': { name: 'Ingresos por intereses', kinds: PERSON, hasExpenses: false },
  '615': { name: 'Régimen de los ingresos por obtención de premios', kinds: PERSON, hasExpenses: false },
  '616': { name: 'Sin obligaciones fiscales', kinds: PERSON, hasExpenses: false },
  '620': {
    name: 'Sociedades Cooperativas de Producción que optan por diferir sus ingresos',
    kinds: COMPANY,
    hasExpenses: true,
  },
  '621': { name: 'Incorporación Fiscal', kinds: PERSON, hasExpenses: true },
  '622': {
    name: 'Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras',
    kinds: COMPANY,
    hasExpenses: true,
  },
  '625': {
    name: 'Régimen de las Actividades Empresariales con ingresos a través de Plataformas Tecnológicas',
    kinds: PERSON,
    hasExpenses: true,
  },
  '626': { name: 'Régimen Simplificado de Confianza', kinds: [...COMPANY, ...PERSON], hasExpenses: true },
} as const satisfies Readonly<Record<string, TaxRegime>>;

/**
 * The uses of the SAT's catalog c_UsoCFDI that fit a purchase in a shop. `forExpenses`: only for regimes with expenses.
 * Add a missing one here. `CP01` is missing because it belongs to payment complements, never to the invoice of a sale.
 */
export const CFDI_USES = {
  G01: { name: 'Adquisición de mercancías', forExpenses: true },
  G02: { name: 'Devoluciones, descuentos o bonificaciones', forExpenses: true },
  G03: { name: 'Gastos en general', forExpenses: true },
  I02: { name: 'Mobiliario y equipo de oficina por inversiones', forExpenses: true },
  I04: { name: 'Equipo de cómputo y accesorios', forExpenses: true },
  I08: { name: 'Otra maquinaria y equipo', forExpenses: true },
  S01: { name: 'Sin efectos fiscales', forExpenses: false },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly forExpenses: boolean }>>;

/** Codes of tax regimes and uses, in the order of their lists. */
export const TAX_REGIME_CODES = Object.keys(TAX_REGIMES) as readonly (keyof typeof TAX_REGIMES)[];
export const CFDI_USE_CODES = Object.keys(CFDI_USES) as readonly (keyof typeof CFDI_USES)[];
