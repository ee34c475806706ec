declare module 'language:parts' {
  export type Text = (inputs: object) => string;
  /** Texts in a row, behind the place of the first of them. */
  type Run = [first: number, ...texts: Text[]];
  type Load = () => Promise<{ default: readonly Run[] }>;
  const parts: Record<
    import('./paraglide/runtime').Locale,
    Record<'home' | 'table' | 'more' | 'other' | import('./wire.gen').GameName, Load>
  >;
  export default parts;
}
