/** What the `tables.ts` of a feature declares about the rows of its tables. */

type NameIn<Row> = Extract<keyof Row, string>;

/** How the copy of a customer's data shows a column: as it is, as a local time, or the parsed JSON. */
export type CopyFormat = 'plain' | 'time' | 'json';

/** What the core does with the rows of one table. */
export interface TableRows<Row> {
  /** The rows are personal data of the order that this column names, and are deleted when it is erased. */
  readonly personal?: {
    readonly by: 'orderId' & keyof Row;
    /** The columns of the copy of a customer's data. Secrets, files and names of admin users are not in it. */
    readonly copied: { readonly [Column in NameIn<Row>]?: CopyFormat };
  };
  /** A row is deleted `days` after the time in `since`, if the condition `where` is true. */
  readonly expires?: {
    /** A unique column. */
    readonly key: NameIn<Row>;
    readonly since: NameIn<Row>;
    readonly days: number;
    /** SQL of both databases, with the column names that they have. */
    readonly where?: string;
  };
}

/**
 * The constant `ROWS` names each table of the feature, a table before those that reference it, `{}` for one whose rows
 * neither expire nor are personal data. The rows outlive the feature: `npm run format` copies the constant into
 * `src/features/rows.ts`, so it contains literals only.
 */
export type FeatureRows<Tables> = { readonly [Table in keyof Tables]: TableRows<Tables[Table]> };

/** An entry of `src/features/rows.ts`. A removed feature has no types, so its columns are plain names. */
export interface FeatureTable extends TableRows<Readonly<Record<string, unknown>>> {
  readonly feature: string;
}
