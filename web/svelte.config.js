/** @type {import('@sveltejs/vite-plugin-svelte').SvelteConfig} */
export default {
  compilerOptions: {
    runes: true,
    // Class names of components are a good part of what a style sheet weighs once it is compressed.
    cssHash: ({ css, hash }) => `s${hash(css).slice(0, 5)}`,
  },
};
