/** Typed addresses, and those that the shop suggests in their place. `undefined`: none. Browser and server agree. */
export const MISTYPED: readonly (readonly [typed: string, suggested: string | undefined])[] = [
  ['ana@gmial.com', 'ana@gmail.com'],
  ['Ana.R@Gmal.com', 'Ana.R@gmail.com'],
  ['ana@gmaill.com', 'ana@gmail.com'],
  ['ana@hotmial.con', 'ana@hotmail.com'],
  ['ana@yahoo.con.mx', 'ana@yahoo.com.mx'],
  ['ana@outlok.com', 'ana@outlook.com'],
  ['ana@prodigi.net.mx', 'ana@prodigy.net.mx'],
  ['ana@gmail.co', 'ana@gmail.com'],
  ['ana@empresa.cmo', 'ana@empresa.com'],
  ['ana@gmail.com', undefined],
  ['ana@HOTMAIL.com', undefined],
  ['ana@ymail.com', undefined],
  ['ana@mail.com', undefined],
  ['ana@example.com', undefined],
  ['ana@concom.mx', undefined],
  ['ana', undefined],
];
