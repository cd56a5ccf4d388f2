export const picturesPaths = {
  picture: '/pictures/:hash',
  sizedPicture: '/pictures/:hash/:width',
  productPictures: '/admin/products/:id/pictures',
} as const;
