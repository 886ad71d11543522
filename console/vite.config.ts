import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { apiReferencePlugin } from "./build/api_reference.ts";
import { hangingTests } from "./build/hanging_tests.ts";

const OPENAPI = new URL("../api-gateway/src/main/resources/dev/millrace/gateway/docs/openapi.yaml", import.meta.url)
  .pathname;

// The gateway serves the console under whatever path a proxy puts it, so all addresses in it are relative.
export default defineConfig({
  base: "./",
  plugins: [react(), tailwindcss(), apiReferencePlugin(OPENAPI)],
  resolve: { alias: { "#": new URL("./src", import.meta.url).pathname } },
  build: {
    outDir: "target/web",
    emptyOutDir: true,
    // The content security policy of the gateway allows no data URLs besides images.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Browsers ask for six files at a time, so the first load is one file rather than thirty small ones.
          groups: [{ name: "first", tags: ["$initial"] }],
        },
      },
    },
  },
  worker: { format: "es" },
  server: {
    proxy: { "^/(api|login|logout|readyz)": process.env.MILLRACE_SERVER ?? "http://localhost:8080" },
  },
  test: {
    environment: "node",
    // Tests wait for events; a busy machine may take long until they come.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    include: ["src/**/*.test.{ts,tsx}", "build/**/*.test.ts"],
    reporters: ["default", hangingTests(), ["junit", { outputFile: "target/vitest-reports/vitest.xml" }]],
  },
});
