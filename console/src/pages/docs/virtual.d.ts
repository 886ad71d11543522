/** Made from the OpenAPI document by `build/api_reference.ts`. */
declare module "virtual:api-reference" {
  export const reference: import("#/pages/docs/reference.ts").ApiReference;
}
