declare module 'language:*' {
  const texts: readonly ((inputs: object) => string)[];
  export default texts;
}
