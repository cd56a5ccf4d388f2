/** The shop's name, on every page and mail. Its colors are the first lines of `public/shop.css`, its logo `public/logo.svg`. */
export const BRAND = 'Tianguis';
