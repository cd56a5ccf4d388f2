/** Addresses of uploaded pictures. Each is named by the hash of its largest file, so it never changes. */

/** A product has this picture, below `public/`, until it gets one of its own. */
export const NO_PICTURE = '/no-picture.svg';
/** Widths in pixels of the WebP files of a picture. A smaller picture is not enlarged. */
export const PICTURE_WIDTHS = [400, 800, 1600] as const;

/** Returns whether search engines and link previews show the picture: they show no SVG. */
export function isBitmap(image: string): boolean {
  return !/\.svg$/i.test(image);
}

const ADDRESS = /^\/pictures\/([\da-f]{64})$/;

/** Returns the hash in the address of an uploaded picture. `undefined` for a file below `public/`. */
export function pictureHashOf(image: string): string | undefined {
  return ADDRESS.exec(image)?.[1];
}

/** Returns the address of an uploaded picture, which is also its value in the column `image`. */
export function picturePath(hash: string): string {
  return `/pictures/${hash}`;
}

/** Returns the `srcset` of an uploaded picture. `undefined` for a file below `public/`. */
export function pictureSrcset(image: string): string | undefined {
  if (pictureHashOf(image) === undefined) return undefined;
  return PICTURE_WIDTHS.map((width) => `${image}/${width} ${width}w`).join(', ');
}
