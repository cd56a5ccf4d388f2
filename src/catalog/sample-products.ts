/** The sample catalog, which the tests use too. */
import { centavos } from '../domain/money.js';

/** The categories, in display order. */
export const categories = [
  { id: 'ceramics', name: { 'es-MX': 'Barro y cerámica', en: 'Pottery' } },
  { id: 'textiles', name: { 'es-MX': 'Textiles', en: 'Textiles' } },
  { id: 'home', name: { 'es-MX': 'Hogar', en: 'Home' } },
  { id: 'kitchen', name: { 'es-MX': 'Cocina', en: 'Kitchen' } },
  { id: 'pantry', name: { 'es-MX': 'Despensa', en: 'Pantry' } },
  { id: 'party', name: { 'es-MX': 'Fiesta', en: 'Festivities' } },
  { id: 'music', name: { 'es-MX': 'Música', en: 'Music' } },
] as const;

export const products = [
  {
    id: 'taza-talavera',
    slug: 'taza-de-talavera',
    category: 'ceramics',
    price: centavos(28900),
    image: '/products/taza-talavera.svg',
    name: { 'es-MX': 'Taza de talavera azul', en: 'Blue talavera mug' },
    description: {
      'es-MX':
        'Torneada y pintada a mano en Puebla, con el azul cobalto de siempre. Cabe un café de olla generoso (350 ml) y ninguna flor sale igual a otra. Va al microondas sin problema.',
      en: 'Thrown and painted by hand in Puebla in the cobalt blue the city is known for. It holds a generous coffee (350 ml), and no two flowers come out the same. Safe in the microwave.',
    },
    imageAlt: {
      'es-MX': 'Taza blanca con flores y cenefas azul cobalto',
      en: 'White mug with cobalt blue flowers and borders',
    },
  },
  {
    id: 'jarra-barro-negro',
    slug: 'jarra-de-barro-negro',
    category: 'ceramics',
    price: centavos(74550),
    image: '/products/jarra-barro-negro.svg',
    name: { 'es-MX': 'Jarra de barro negro', en: 'Black clay jug' },
    description: {
      'es-MX':
        'De San Bartolo Coyotepec, Oaxaca. El brillo no es esmalte: se bruñe con cuarzo antes de la quema y el humo le da el color. Es de ornato; para flores secas es perfecta.',
      en: 'From San Bartolo Coyotepec, Oaxaca. The shine is no glaze: each piece is burnished with quartz before firing, and the smoke turns it black. Made to be looked at; lovely with dried flowers.',
    },
    imageAlt: {
      'es-MX': 'Jarra negra brillante con una franja calada de flores',
      en: 'Shining black jug with a carved band of flowers',
    },
  },
  {
    id: 'rebozo-santa-maria',
    slug: 'rebozo-de-santa-maria',
    category: 'textiles',
    price: centavos(235000),
    image: '/products/rebozo-santa-maria.svg',
    name: { 'es-MX': 'Rebozo de Santa María del Río', en: 'Rebozo from Santa María del Río' },
    description: {
      'es-MX':
        'Tejido en telar de cintura en San Luis Potosí, con hilo teñido por amarres que deja ese veteado suave. Las puntas se anudan a mano durante semanas. Mide 2.20 m sin contar el rapacejo.',
      en: 'Woven on a backstrap loom in San Luis Potosí, from thread tied and dyed by hand for its soft flecked pattern. The fringe takes weeks of knotting. 2.20 m long, fringe not included.',
    },
    imageAlt: {
      'es-MX': 'Rebozo rosa y carmín colgado, con fleco anudado',
      en: 'Pink and crimson shawl, hanging, with a knotted fringe',
    },
  },
  {
    id: 'alebrije-jaguar',
    slug: 'alebrije-jaguar',
    category: 'home',
    price: centavos(189000),
    image: '/products/alebrije-jaguar.svg',
    name: { 'es-MX': 'Alebrije jaguar de copal', en: 'Copal wood jaguar alebrije' },
    description: {
      'es-MX':
        'Tallado en una sola pieza de madera de copal en San Martín Tilcajete y pintado punto por punto. Mide unos 24 cm y llega firmado por quien lo hizo.',
      en: 'Carved from a single piece of copal wood in San Martín Tilcajete and painted dot by dot. About 24 cm long, and signed by its maker.',
    },
    imageAlt: {
      'es-MX': 'Jaguar naranja tallado, cubierto de puntos y flores de colores',
      en: 'Carved orange jaguar covered in bright dots and flowers',
    },
  },
  {
    id: 'molcajete-basalto',
    slug: 'molcajete-de-basalto',
    category: 'kitchen',
    price: centavos(59980),
    image: '/products/molcajete-basalto.svg',
    name: { 'es-MX': 'Molcajete de piedra volcánica', en: 'Volcanic stone molcajete' },
    description: {
      'es-MX':
        'Labrado a cincel en Comonfort, Guanajuato, de basalto de verdad: no suelta arena después de curarlo. Incluye su tejolote y una hoja que explica cómo curarlo con arroz y sal.',
      en: 'Chiseled in Comonfort, Guanajuato, from true basalt, so it sheds no grit once seasoned. Comes with its tejolote and a sheet that explains how to season it with rice and salt.',
    },
    imageAlt: {
      'es-MX': 'Molcajete gris de tres patas con tejolote y salsa roja',
      en: 'Gray three-legged mortar with its pestle and red salsa',
    },
  },
  {
    id: 'huipil-istmo',
    slug: 'huipil-bordado-del-istmo',
    category: 'textiles',
    price: centavos(148000),
    image: '/products/huipil-istmo.svg',
    name: { 'es-MX': 'Huipil bordado del Istmo', en: 'Embroidered huipil of the Isthmus' },
    description: {
      'es-MX':
        'Algodón fresco con flores bordadas a mano por mujeres zapotecas de Juchitán. Talla única, de corte amplio. Lávalo a mano con agua fría y los colores te van a durar años.',
      en: 'Cool cotton with flowers embroidered by hand by Zapotec women in Juchitán. One generous size. Wash it by hand in cold water, and the colors will stay with you for years.',
    },
    imageAlt: {
      'es-MX': 'Huipil blanco con flores rojas, naranjas y azules bordadas',
      en: 'White huipil with red, orange and blue embroidered flowers',
    },
  },
  {
    id: 'hamaca-yucateca',
    slug: 'hamaca-yucateca',
    category: 'home',
    price: centavos(112000),
    image: '/products/hamaca-yucateca.svg',
    name: { 'es-MX': 'Hamaca yucateca matrimonial', en: 'Yucatán hammock for two' },
    description: {
      'es-MX':
        'Urdida en Tixkokob con hilo de algodón, suave y muy ventilada. Aguanta hasta 200 kg y caben dos si se llevan bien. Las argollas vienen listas para colgar.',
      en: 'Woven in Tixkokob from cotton thread, soft and airy. It bears up to 200 kg and holds two who get along. The end loops are ready to hang.',
    },
    imageAlt: {
      'es-MX': 'Hamaca de franjas de colores colgada bajo el sol',
      en: 'Hammock in colored stripes hanging in the sun',
    },
  },
  {
    id: 'papel-picado',
    slug: 'papel-picado-de-fiesta',
    category: 'party',
    price: centavos(12990),
    image: '/products/papel-picado.svg',
    name: { 'es-MX': 'Papel picado de fiesta', en: 'Party papel picado' },
    description: {
      'es-MX':
        'Dos tiras de cinco metros cortadas a cincel en San Salvador Huixcolotla, Puebla. Es papel de China auténtico: ligero, alegre y mejor bajo techo si amenaza lluvia.',
      en: 'Two five-meter strings cut by chisel in San Salvador Huixcolotla, Puebla. It is real tissue paper: light, joyful, and happier under a roof if it looks like rain.',
    },
    imageAlt: {
      'es-MX': 'Banderines de papel picado de colores en dos hilos',
      en: 'Cut-paper flags in many colors on two strings',
    },
  },
  {
    id: 'cazo-santa-clara',
    slug: 'cazo-de-cobre',
    category: 'kitchen',
    price: centavos(265000),
    image: '/products/cazo-santa-clara.svg',
    name: { 'es-MX': 'Cazo de cobre martillado', en: 'Hammered copper pot' },
    description: {
      'es-MX':
        'Golpe a golpe, de un solo disco de cobre, en Santa Clara del Cobre, Michoacán. Reparte el calor como ninguno: para cajeta, carnitas o mermelada. 30 cm de boca.',
      en: 'Raised blow by blow from one disc of copper in Santa Clara del Cobre, Michoacán. Nothing spreads heat better, be it for cajeta, carnitas or jam. 30 cm across.',
    },
    imageAlt: {
      'es-MX': 'Cazo de cobre brillante con marcas de martillo y dos asas',
      en: 'Gleaming copper pot with hammer marks and two handles',
    },
  },
  {
    id: 'caja-olinala',
    slug: 'caja-laqueada-de-olinala',
    category: 'home',
    price: centavos(98500),
    image: '/products/caja-olinala.svg',
    name: { 'es-MX': 'Caja laqueada de Olinalá', en: 'Lacquered box of Olinalá' },
    description: {
      'es-MX':
        'Madera de lináloe laqueada y rayada a mano en la montaña de Guerrero. Ábrela y huele: el aroma de la madera no se va nunca. 18 × 12 × 9 cm.',
      en: 'Lináloe wood, lacquered and incised by hand in the mountains of Guerrero. Open it and breathe in: the scent of the wood never leaves. 18 × 12 × 9 cm.',
    },
    imageAlt: {
      'es-MX': 'Caja roja y negra decorada con flores y un ave',
      en: 'Red and black box decorated with flowers and a bird',
    },
  },
  {
    id: 'canasta-palma',
    slug: 'canasta-de-palma',
    category: 'home',
    price: centavos(34900),
    image: '/products/canasta-palma.svg',
    name: { 'es-MX': 'Canasta de palma tejida', en: 'Woven palm basket' },
    description: {
      'es-MX':
        'Tejida con palma natural y teñida en la Mixteca. Firme para el mandado, bonita para dejarla a la vista. Con dos asas reforzadas.',
      en: 'Woven in the Mixteca from natural and dyed palm. Sturdy enough for the market, pretty enough to leave out. With two reinforced handles.',
    },
    imageAlt: {
      'es-MX': 'Canasta de palma con franjas de color, dos asas y fruta',
      en: 'Palm basket with colored bands, two handles and fruit',
    },
  },
  {
    id: 'copitas-mezcal',
    slug: 'copitas-para-mezcal',
    category: 'ceramics',
    price: centavos(26500),
    image: '/products/copitas-mezcal.svg',
    name: { 'es-MX': 'Tres copitas para mezcal', en: 'Three mezcal cups' },
    description: {
      'es-MX':
        'De barro rojo, bajitas y anchas para que el mezcal respire. Hechas en Santa María Atzompa, sin plomo. El juego trae tres; el mezcal y la naranja van por tu cuenta.',
      en: 'Red clay, low and wide, so that the mezcal can breathe. Made in Santa María Atzompa, lead-free. The set has three; mezcal and orange are up to you.',
    },
    imageAlt: {
      'es-MX': 'Tres copitas de barro con una rodaja de naranja',
      en: 'Three clay cups beside a slice of orange',
    },
  },
  {
    id: 'cafe-chiapas',
    slug: 'cafe-de-chiapas',
    category: 'pantry',
    price: centavos(21850),
    image: '/products/cafe-chiapas.svg',
    name: { 'es-MX': 'Café de altura de Chiapas', en: 'High-grown coffee of Chiapas' },
    description: {
      'es-MX':
        'Arábica de sombra de una cooperativa de Jaltenango, a 1,500 metros. Tueste medio, con notas de cacao y mandarina. Medio kilo en grano, tostado la semana en que sale.',
      en: 'Shade-grown arabica from a cooperative in Jaltenango, at 1,500 meters. Medium roast with notes of cacao and mandarin. Half a kilo of beans, roasted the week it ships.',
    },
    imageAlt: {
      'es-MX': 'Bolsa de café con un dibujo de montañas y granos tostados',
      en: 'Coffee bag with drawn mountains, and roasted beans',
    },
  },
  {
    id: 'vainilla-papantla',
    slug: 'vainilla-de-papantla',
    category: 'pantry',
    price: centavos(18900),
    image: '/products/vainilla-papantla.svg',
    name: { 'es-MX': 'Vainilla de Papantla', en: 'Vanilla of Papantla' },
    description: {
      'es-MX':
        'Cinco vainas carnosas de Veracruz, curadas al sol durante meses. Guárdalas en un frasco cerrado: perfuman el azúcar, el arroz con leche y la casa entera.',
      en: 'Five plump pods from Veracruz, cured in the sun for months. Keep them in a closed jar: they scent the sugar, the rice pudding and the whole house.',
    },
    imageAlt: {
      'es-MX': 'Manojo de vainas de vainilla atado con hilo y una orquídea',
      en: 'Vanilla pods tied with string, and an orchid flower',
    },
  },
  {
    id: 'guitarra-paracho',
    slug: 'guitarra-de-paracho',
    category: 'music',
    price: centavos(490000),
    image: '/products/guitarra-paracho.svg',
    name: { 'es-MX': 'Guitarra clásica de Paracho', en: 'Classical guitar of Paracho' },
    description: {
      'es-MX':
        'Tapa de cedro y aros de palo escrito, hecha por una familia de lauderos de Michoacán. Suena cálida y afinada desde el primer día. Incluye funda acolchada.',
      en: 'Cedar top and palo escrito sides, built by a family of luthiers in Michoacán. Warm and true in tune from the first day. Comes in a padded bag.',
    },
    imageAlt: {
      'es-MX': 'Guitarra de madera clara con una roseta de colores',
      en: 'Guitar of light wood with a colored rosette',
    },
  },
  {
    id: 'calaverita-azucar',
    slug: 'calaverita-de-azucar',
    category: 'party',
    price: centavos(4500),
    image: '/products/calaverita-azucar.svg',
    name: { 'es-MX': 'Calaverita de azúcar', en: 'Sugar skull' },
    description: {
      'es-MX':
        'De alfeñique, vaciada y decorada a mano en Toluca. Podemos decir que es para la ofrenda, pero nadie te va a juzgar si te la comes. Pesa unos 90 g.',
      en: 'Made of alfeñique sugar paste, cast and decorated by hand in Toluca. It is meant for the ofrenda, though you may eat it. About 90 g.',
    },
    imageAlt: {
      'es-MX': 'Calaverita blanca con flores y adornos de colores',
      en: 'White sugar skull with flowers and colored trimmings',
    },
  },
] as const;
