import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
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

/** The page behind a signed link stands alone, since whoever opens it may have no login. */
function Frame() {
  const isLink = useMatch({ from: "/approvals/$run/$token", shouldThrow: false }) !== undefined;
  return isLink ? <Outlet /> : <Layout />;
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
  component: lazyRouteComponent(() => import("#/pages/compare/compare_page.tsx"), "ComparePage"),
});

const flowsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/flows/",
  component: lazyRouteComponent(() => import("#/pages/flows/flows_page.tsx"), "FlowsPage"),
});

const flowRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/flows/$",
  validateSearch: parseStartSearch,
  component: lazyRouteComponent(() => import("#/pages/flows/flow_page.tsx"), "FlowPage"),
});

const scriptsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/scripts/",
  component: lazyRouteComponent(() => import("#/pages/scripts/scripts_page.tsx"), "ScriptsPage"),
});

const scriptRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/scripts/$",
  validateSearch: parseStartSearch,
  component: lazyRouteComponent(() => import("#/pages/scripts/script_page.tsx"), "ScriptPage"),
});

const workersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/workers",
  component: lazyRouteComponent(() => import("#/pages/workers/workers_page.tsx"), "WorkersPage"),
});

const queuesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/queues",
  component: lazyRouteComponent(() => import("#/pages/queues/queues_page.tsx"), "QueuesPage"),
});

const approvalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/approvals/",
  component: lazyRouteComponent(() => import("#/pages/approvals/approvals_page.tsx"), "ApprovalsPage"),
});

const linkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/approvals/$run/$token",
  component: lazyRouteComponent(() => import("#/pages/approvals/link_page.tsx"), "LinkPage"),
});

const editorNewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/editor/$kind/",
  component: lazyRouteComponent(() => import("#/pages/editor/editor_page.tsx"), "EditorPage"),
});

const editorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/editor/$kind/$",
  component: lazyRouteComponent(() => import("#/pages/editor/editor_page.tsx"), "EditorPage"),
});

const schedulesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/schedules/",
  component: lazyRouteComponent(() => import("#/pages/schedules/schedules_page.tsx"), "SchedulesPage"),
});

const scheduleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/schedules/$",
  component: lazyRouteComponent(() => import("#/pages/schedules/schedule_page.tsx"), "SchedulePage"),
});

const triggersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/",
  component: lazyRouteComponent(() => import("#/pages/triggers/triggers_page.tsx"), "TriggersPage"),
});

const triggerKindRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/$kind/",
  component: lazyRouteComponent(() => import("#/pages/triggers/triggers_page.tsx"), "TriggersPage"),
});

const triggerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/$kind/$",
  component: lazyRouteComponent(() => import("#/pages/triggers/trigger_page.tsx"), "TriggerPage"),
});

const handlersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/handlers/",
  component: lazyRouteComponent(() => import("#/pages/handlers/handlers_page.tsx"), "HandlersPage"),
});

const handlerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/triggers/handlers/$",
  component: lazyRouteComponent(() => import("#/pages/handlers/handler_page.tsx"), "HandlerPage"),
});

const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts/",
  component: lazyRouteComponent(() => import("#/pages/alerts/alerts_page.tsx"), "AlertsPage"),
});

const alertRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts/$name",
  component: lazyRouteComponent(() => import("#/pages/alerts/alert_page.tsx"), "AlertPage"),
});

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings/",
  component: lazyRouteComponent(() => import("#/pages/settings/settings_page.tsx"), "SettingsPage"),
});

const settingsSectionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings/$section",
  component: lazyRouteComponent(() => import("#/pages/settings/settings_page.tsx"), "SettingsPage"),
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
]);

/** The pages by their addresses. */
export const router = createRouter({ routeTree, basepath: root, defaultPreload: "intent", scrollRestoration: true });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
