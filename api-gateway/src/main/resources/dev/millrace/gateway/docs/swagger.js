window.ui = SwaggerUIBundle({
  url: "/api/v1/openapi.yaml",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset.slice(1)],
  layout: "BaseLayout",
});
