declare module 'rules:*' {
  const html: string;
  export default html;
}
