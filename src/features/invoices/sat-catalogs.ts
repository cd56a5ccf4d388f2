/** Tax regimes and uses of an invoice (CFDI 4.0), as the tax authority (SAT) names them in Spanish. */

interface TaxRegime {
  readonly name: string;
  /** Its receivers. 12 characters of an RFC are a company's, 13 a person's. */
  readonly of: 'company' | 'person' | 'both';
  /** Whether the SAT accepts purchases as expenses of the receiver. */
  readonly spends: boolean;
}

/** The tax regimes of the SAT's catalog c_RegimenFiscal. */
export const TAX_REGIMES: Readonly<Record<string, TaxRegime>> = {
  '601': { of: 'company', spends: true, name: 'General de Ley Personas Morales' },
  '603': { of: 'company', spends: true, name: 'Personas Morales con Fines no Lucrativos' },
  '605': { of: 'person', spends: false, name: 'Sueldos y Salarios e Ingresos Asimilados a Salarios' },
  '606': { of: 'person', spends: true, name: 'Arrendamiento' },
  '607': { of: 'person', spends: false, name: 'Régimen de Enajenación o Adquisición de Bienes' },
  '608': { of: 'person', spends: false, name: 'Demás ingresos' },
  '610': { of: 'both', spends: false, name: 'Residentes en el Extranjero sin Establecimiento Permanente en México' },
  '611': { of: 'person', spends: false, name: 'Ingresos por Dividendos (socios y accionistas)' },
  '612': { of: 'person', spends: true, name: 'Personas Físicas con Actividades Empresariales y Profesionales' },
  '614': { of: 'person', spends: false, name: 'Ingresos por intereses' },
  '615': { of: 'person', spends: false, name: 'Régimen de los ingresos por obtención de premios' },
  '616': { of: 'person', spends: false, name: 'Sin obligaciones fiscales' },
  '620': {
    of: 'company',
    spends: true,
    name: 'Sociedades Cooperativas de Producción que optan por diferir sus ingresos',
  },
  '621': { of: 'person', spends: true, name: 'Incorporación Fiscal' },
  '622': { of: 'company', spends: true, name: 'Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras' },
  '623': { of: 'company', spends: true, name: 'Opcional para Grupos de Sociedades' },
  '624': { of: 'company', spends: true, name: 'Coordinados' },
  '625': { of: 'person', spends: true, name: 'Actividades Empresariales con ingresos por Plataformas Tecnológicas' },
  '626': { of: 'both', spends: true, name: 'Régimen Simplificado de Confianza' },
};

/**
 * The uses of the SAT's catalog c_UsoCFDI that fit a purchase in a shop. All except `S01` need a regime that spends. Add a
 * missing one here. `CP01` is missing because it belongs to payment complements, never to the invoice of a sale.
 */
export const CFDI_USES: Readonly<Record<string, { readonly name: string }>> = {
  G01: { name: 'Adquisición de mercancías' },
  G02: { name: 'Devoluciones, descuentos o bonificaciones' },
  G03: { name: 'Gastos en general' },
  I02: { name: 'Mobiliario y equipo de oficina por inversiones' },
  I04: { name: 'Equipo de cómputo y accesorios' },
  I08: { name: 'Otra maquinaria y equipo' },
  S01: { name: 'Sin efectos fiscales' },
};
