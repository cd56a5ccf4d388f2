/**
 * What belongs to one shop, until the merchant changes it in the back office. The main color is in the first rule of
 * `public/shop.css`.
 */
export interface Brand {
  readonly name: string;
  /** Two capital letters before each order number. Earlier order numbers stay valid when it changes. */
  readonly orderPrefix: string;
  /** The paper banners and the awning of the sample shop. */
  readonly decoration: boolean;
  /** The main color as `#RRGGBB`, in place of that in the stylesheet. Empty: that of the stylesheet. */
  readonly color: string;
  /** Logo of the pages, a file below `public/`. It is shown 40 pixels high. */
  readonly logo: string;
  /** Picture of link previews, a PNG or JPEG below `public/`. Pages of products with a photo show the photo. */
  readonly shareImage?: string;
  /** Logo of the mails, a PNG or JPEG below `public/`, shown at 40 × 40 pixels. Mail programs show no SVG. */
  readonly mailLogo?: string;
  /** Picture at the top of the start page, below `public/`. Empty: none. */
  readonly heroImage: string;
  /** Phone number for WhatsApp, with the country code outside Mexico. Empty: no link. */
  readonly whatsapp: string;
  /** `https` addresses of the profiles, in the footer. Empty: no link. */
  readonly social: {
    readonly instagram: string;
    readonly facebook: string;
    readonly tiktok: string;
  };
  /** Identity of the merchant, in the footer, the receipts and the legal pages. */
  readonly merchant: {
    readonly legalName: string;
    /** The tax number. */
    readonly rfc?: string;
    readonly address: string;
    readonly phone: string;
    readonly email: string;
  };
  readonly texts: Readonly<Record<'es-MX' | 'en', BrandTexts>>;
}

interface BrandTexts {
  /** One sentence in the footer and in search results. */
  readonly tagline: string;
  /** When the merchant answers, below the address. May be empty. */
  readonly hours: string;
  /** One line above each page. May be empty. */
  readonly announcement: string;
  /** Title of the start page, before the shop name. */
  readonly title: string;
  readonly heading: string;
  /** The sentences below the heading. May be empty. */
  readonly intro: string;
  /** Heading of the product list. */
  readonly list: string;
  readonly searchHint: string;
  /** A note on each product page. May be empty. */
  readonly productNote: string;
}

export const brand: Brand = {
  name: 'Tianguis',
  orderPrefix: 'TG',
  decoration: true,
  color: '',
  logo: '/logo.svg',
  shareImage: '/share.png',
  mailLogo: '/logo-mail.png',
  heroImage: '',
  whatsapp: '',
  social: { instagram: '', facebook: '', tiktok: '' },
  merchant: {
    legalName: 'Empresa de Ejemplo, S.A. de C.V.',
    address: 'Calle de Ejemplo 1, Col. Centro, 06000 Ciudad de México',
    phone: '55 0000 0000',
    email: 'contacto@example.com',
  },
  texts: {
    'es-MX': {
      tagline: 'Artesanía mexicana, directo de quien la hace',
      hours: '',
      announcement: '',
      title: 'Artesanía de México',
      heading: 'Lo hecho a mano, sin intermediarios',
      intro:
        'Barro, cobre, palma, hilo y madera de talleres de todo México. Escoge con calma: cada pieza es única y llega con el nombre de su lugar de origen.',
      list: 'En el puesto hoy',
      searchHint: 'Taza, hamaca, café…',
      productNote: 'Hecho a mano: tu pieza puede variar un poco de la imagen.',
    },
    en: {
      tagline: 'Mexican crafts, straight from the makers',
      hours: '',
      announcement: '',
      title: 'Crafts of Mexico',
      heading: 'Made by hand, sold without middlemen',
      intro:
        'Clay, copper, palm, thread, and wood from workshops all over Mexico. Take your time: each piece is one of a kind and comes with the name of its place of origin.',
      list: 'At the market today',
      searchHint: 'Mug, hammock, coffee…',
      productNote: 'Made by hand: your piece may differ a little from the picture.',
    },
  },
};
