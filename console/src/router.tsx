import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  retainSearchParams,
  useMatch,
} from "@tanstack/react-router";
import { parseStartSearch } from "#/pages/definitions/start_search.ts";
import { HomePage } from "#/pages/home/home_page.tsx";
import { RunPage } from "#/pages/run/run_page.tsx";
import { parseRunSearch } from "#/pages/run/run_search.ts";
import { parseFilters } from "#/pages/runs/filters.ts";
import { RunsPage } from "#/pages/runs/runs_page.tsx";
import { root } from "#/root.ts";
import { Failure, NotFound } from "#/shell/failures.tsx";
import { Layout } from "#/shell/layout.tsx";
import { lazyPart } from "#/shell/lazy_part.tsx";

/**
 * The page behind a signed link stands alone, since whoever opens it may have no login. The reference of the API needs none
 * either.
 */
function Frame() {
  const isLink = useMatch({ from: "/approvals/$run/$token", shouldThrow: false }) !== undefined;
  const areDocs = useMatch({ from: "/docs", shouldThrow: false }) !== undefined;
  const isOperation = useMatch({ from: "/docs/$operation", shouldThrow: false }) !== undefined;
  return isLink ? <Outlet /> : <Layout isPublic={areDocs || isOperation} />;
}

const rootRoute = createRootRoute({
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: Failure,
  // The workspace stays in the address from page to page.
  validateSearch: (search: Record<string, unknown>): { workspace?: string | undefined } =>
    typeof search.workspace === "string" && search.workspace !== "" ? { workspace: search.workspace } : {},
  search: { middlewares: [retainSearchParams(["workspace"])] },
});

const homeRoute = createRoute({ getParentRoute: () => rootRoute, path: "/", component: HomePage });

const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs",
  validateSearch: parseFilters,
  component: () => <RunsPage filters={parseFilters({ ...runsRoute.useSearch() })} />,
});

const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs/$id",
  validateSearch: parseRunSearch,
  component: RunPage,
});

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/runs/$id/compare/$other",
  component: lazyPart(() => import("#/pages/compare/compare_page.tsx").then((page) => page.ComparePage)),
});

const flowsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/flows/",
  component: lazyPart(() => import("#/pages/flows/flows_page.tsx").then((page) => page.FlowsPage)),
});

const flowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/flows/$",
  validateSearch: parseStartSearch,
  component: lazyPart(() => import("#/pages/flows/flow_page.tsx").then((page) => page.FlowPage)),
});

const scriptsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/scripts/",
  component: lazyPart(() => import("#/pages/scripts/scripts_page.tsx").then((page) => page.ScriptsPage)),
});

const scriptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/scripts/$",
  validateSearch: parseStartSearch,
  component: lazyPart(() => import("#/pages/scripts/script_page.tsx").then((page) => page.ScriptPage)),
});

const workersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/workers",
  component: lazyPart(() => import("#/pages/workers/workers_page.tsx").then((page) => page.WorkersPage)),
});

const queuesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/queues",
  component: lazyPart(() => import("#/pages/queues/queues_page.tsx").then((page) => page.QueuesPage)),
});

const approvalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/approvals/",
  component: lazyPart(() => import("#/pages/approvals/approvals_page.tsx").then((page) => page.ApprovalsPage)),
});

const linkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/approvals/$run/$token",
  component: lazyPart(() => import("#/pages/approvals/link_page.tsx").then((page) => page.LinkPage)),
});

const editorNewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/editor/$kind/",
  component: lazyPart(() => import("#/pages/editor/editor_page.tsx").then((page) => page.EditorPage)),
});

const editorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/editor/$kind/$",
  component: lazyPart(() => import("#/pages/editor/editor_page.tsx").then((page) => page.EditorPage)),
});

const schedulesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/schedules/",
  component: lazyPart(() => import("#/pages/schedules/schedules_page.tsx").then((page) => page.SchedulesPage)),
});

const scheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/schedules/$",
  component: lazyPart(() => import("#/pages/schedules/schedule_page.tsx").then((page) => page.SchedulePage)),
});

const triggersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/",
  component: lazyPart(() => import("#/pages/triggers/triggers_page.tsx").then((page) => page.TriggersPage)),
});

const triggerKindRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/$kind/",
  component: lazyPart(() => import("#/pages/triggers/triggers_page.tsx").then((page) => page.TriggersPage)),
});

const triggerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/$kind/$",
  component: lazyPart(() => import("#/pages/triggers/trigger_page.tsx").then((page) => page.TriggerPage)),
});

const handlersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/handlers/",
  component: lazyPart(() => import("#/pages/handlers/handlers_page.tsx").then((page) => page.HandlersPage)),
});

const handlerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/handlers/$",
  component: lazyPart(() => import("#/pages/handlers/handler_page.tsx").then((page) => page.HandlerPage)),
});

const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts/",
  component: lazyPart(() => import("#/pages/alerts/alerts_page.tsx").then((page) => page.AlertsPage)),
});

const alertRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts/$name",
  component: lazyPart(() => import("#/pages/alerts/alert_page.tsx").then((page) => page.AlertPage)),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings/",
  component: lazyPart(() => import("#/pages/settings/settings_page.tsx").then((page) => page.SettingsPage)),
});

const settingsSectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings/$section",
  component: lazyPart(() => import("#/pages/settings/settings_page.tsx").then((page) => page.SettingsPage)),
});

const docsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/docs/",
  component: lazyPart(() => import("#/pages/docs/docs_page.tsx").then((page) => page.DocsPage)),
});

const operationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/docs/$operation",
  component: lazyPart(() => import("#/pages/docs/docs_page.tsx").then((page) => page.DocsPage)),
});

export const routeTree = rootRoute.addChildren([
  homeRoute,
  runsRoute,
  runRoute,
  compareRoute,
  flowsRoute,
  flowRoute,
  scriptsRoute,
  scriptRoute,
  workersRoute,
  queuesRoute,
  editorNewRoute,
  editorRoute,
  approvalsRoute,
  linkRoute,
  schedulesRoute,
  scheduleRoute,
  triggersRoute,
  triggerKindRoute,
  triggerRoute,
  handlersRoute,
  handlerRoute,
  alertsRoute,
  alertRoute,
  settingsRoute,
  settingsSectionRoute,
  docsRoute,
  operationRoute,
]);

/** The pages by their addresses. */
export const router = createRouter({ routeTree, basepath: root, defaultPreload: "intent", scrollRestoration: true });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
