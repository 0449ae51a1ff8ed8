declare module 'npm-registry-fetch/lib/default-opts.js' {
  const defaults: { registry: string }
  export default defaults
}
