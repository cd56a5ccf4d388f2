interface PostalCodesTable {
  code: string;
  /** JSON: names. A few codes belong to several municipalities. */
  municipalities: string;
  /** JSON: names. */
  neighborhoods: string;
}

export interface Tables {
  postalCodes: PostalCodesTable;
}
