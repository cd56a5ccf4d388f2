/** An error at the top of a form. It links to its field, for example `#first_name`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}
