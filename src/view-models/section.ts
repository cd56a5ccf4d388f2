/** A part of a page that a feature adds. The view reads the model as `it.model`. */
export interface Section {
  /** Path below `views/`, such as `/partials/admin-sales`. */
  readonly view: string;
  readonly model: object;
}
