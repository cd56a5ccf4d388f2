import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  new: 'New product',
  create: 'Create product',
  idHint:
    'For example your SKU: letters without accents, digits, - and _. It cannot change later. If you leave it empty, it is made from the name.',
  isFeatured: 'Featured: the shop lists it among the first products',
  visibleHint: 'If something is missing, save it hidden and put it up for sale later.',
  more: 'More details (optional)',
  categoryHint: 'Choose one from the list or type a new one.',
  claveHint: 'For invoices: 8 digits of the SAT catalog. You can leave it empty.',
  unitHint: 'For invoices, for example H87 (piece). You can leave it empty.',
  variantOfHint: 'The ID of the group’s main product. Leave it empty if this is not a variant of another product.',
  attributeHint: 'For Google and Meta. Without it, each variant is a product of its own there.',
  common: 'For all variants',
  addVariant: 'Add a variant',
  addedHint:
    'Enter what sets it apart, for example “red” or “small”. Without a price or weight, it has those of the main product. Leave everything empty to add none.',
  thisProduct: 'This product',
  firstHint: 'To add variants, say what sets this product apart too, for example “blue” or “large”.',
  addedIdHint: 'For example your SKU. If you leave it empty, it is made from the main ID and the variant.',
  duplicate: 'Duplicate',
  delete: 'Delete the product',
  deleteHint:
    'If no order contains it, it is deleted with its history, and carts that contain it say that it is no longer sold. If an order contains it or it has variants, it is only hidden.',
  deleteNow: 'Delete {{name}}',
  outcomes: {
    created: 'The product was created.',
    created_hidden: 'The product was created and is still hidden. Add its picture and put it up for sale.',
    deleted: 'The product was deleted.',
    hidden: 'An order contains the product, or it has variants. It was hidden, not deleted.',
  },
  problems: {
    id: 'Enter an ID that no other product has, with 1 to 64 letters without accents, digits, - or _.',
    tax_rate: 'Choose a rate from the list.',
    requires_shipping: 'Choose yes or no.',
    clave_prod_serv: 'Enter the 8 digits of the code, or leave the field empty.',
    clave_unidad: 'Enter 1 to 3 letters or digits, or leave the field empty.',
    variant_attribute: 'Choose an option of the list.',
    variant_of: 'Enter the ID of a product that has a variant text of its own and is not a variant of another.',
    missing: 'Missing: {{label}}.',
    name: 'Enter the name in one line of at most {{limit}} characters that does not begin with =, +, - or @.',
    description: 'Enter a description of at most {{limit}} characters that does not begin with =, +, - or @.',
    image_alt:
      'Describe the picture in one line of at most {{limit}} characters that does not begin with =, +, - or @.',
    category: 'Enter the category in one line of at most {{limit}} characters that does not begin with =, +, - or @.',
    variant: 'Enter the variant in one line of at most {{limit}} characters that does not begin with =, +, - or @.',
  },
};
