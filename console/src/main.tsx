import "#/design/console.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ProblemError } from "#/api/problem.ts";
import { startTheme } from "#/design/theme.ts";
import { keepIcon } from "#/root.ts";
import { router } from "#/router.tsx";
import { currentLanguage } from "#/words/language.ts";

const RETRIES_MAX = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A rejection stays one; only a server that does not answer is asked again.
      retry: (failures, error) =>
        failures < RETRIES_MAX && !(error instanceof ProblemError && error.problem.status < 500),
    },
  },
});

document.documentElement.lang = currentLanguage();
startTheme();
keepIcon();
const place = document.getElementById("console");
if (place === null) {
  throw new Error("The document has no element #console.");
}
createRoot(place).render(
  <StrictMode>
    {/* The content security policy allows no style elements that are not in a file. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
