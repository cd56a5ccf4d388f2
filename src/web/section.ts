/** A part of a page that a feature adds. The view reads the model as `it.model`. */
export interface Section {
  /** Path below `views/` or `src/features/`, such as `/sales/views/sales`. */
  readonly view: string;
  readonly model: object;
}
