import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useState, useSyncExternalStore } from "react";
import { isUnauthenticated } from "#/api/problem.ts";
import { chooseTheme, chosenTheme, onThemeChosen, type Theme } from "#/design/theme.ts";
import { Icon } from "#/parts/icon.tsx";
import { modText } from "#/parts/keys.ts";
import { loginAddress } from "#/parts/login_address.ts";
import { Modal } from "#/parts/modal.tsx";
import { EmptyState, ProblemView } from "#/parts/problem_view.tsx";
import { useCurrentInView } from "#/parts/use_current_in_view.ts";
import { focusFilter, moveEntry, type Shortcuts, useShortcuts } from "#/shell/keyboard.ts";
import { lazyPart } from "#/shell/lazy_part.tsx";
import { PLACES } from "#/shell/places.ts";
import { useLogOut, usePlaces, useSession } from "#/shell/session.ts";
import { DEFAULT_WORKSPACE, useWorkspace, useWorkspaces } from "#/shell/workspace.ts";
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from "#/words/language.ts";
import { words } from "#/words/words.ts";

// Dialogs are loaded when somebody opens one, so that the page comes sooner.
const Palette = lazyPart(() => import("#/shell/palette.tsx").then((module) => module.Palette), Missing);
const ShortcutsDialog = lazyPart(
  () => import("#/shell/shortcuts_dialog.tsx").then((module) => module.ShortcutsDialog),
  Missing,
);

/** What is shown in place of a dialog while its code cannot be loaded. */
function Missing(props: { readonly isOpen: boolean; readonly onClose: () => void; readonly children: ReactNode }) {
  return <Modal title={words.product} {...props} />;
}

/**
 * The frame of all pages: navigation, workspace, search, session.
 *
 * @param isPublic whether the page is shown to callers without a session, too
 */
export function Layout({ isPublic }: { isPublic: boolean }) {
  const [open, setOpen] = useState<"palette" | "shortcuts" | "none">("none");
  const [wereOpened, setWereOpened] = useState<ReadonlySet<string>>(new Set());
  if (!wereOpened.has(open)) {
    setWereOpened((before) => new Set(before).add(open));
  }
  const navigate = useNavigate();
  const shortcuts = useMemo<Shortcuts>(() => {
    const places = PLACES.map((place) => [`g ${place.key}`, () => void navigate({ to: place.to })] as const);
    return {
      ...Object.fromEntries(places),
      "?": () => setOpen("shortcuts"),
      "Mod+k": () => setOpen("palette"),
      "/": focusFilter,
      j: () => moveEntry(1),
      k: () => moveEntry(-1),
    };
  }, [navigate]);
  useShortcuts(shortcuts);
  const session = useSession();
  const close = () => setOpen("none");
  return (
    <div className="flex min-h-screen flex-col md:flex-row">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded focus:bg-surface focus:p-2"
      >
        {words.shell.skip}
      </a>
      <Sidebar onSearch={() => setOpen("palette")} onShortcuts={() => setOpen("shortcuts")} />
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 p-4 outline-none md:p-6">
        {isPublic ? (
          <Outlet />
        ) : isUnauthenticated(session.error) ? (
          <NotLoggedIn error={session.error} />
        ) : session.error !== null ? (
          <ProblemView error={session.error} onRetry={() => void session.refetch()} />
        ) : (
          <Outlet />
        )}
      </main>

      {wereOpened.has("palette") && <Palette isOpen={open === "palette"} onClose={close} />}
      {wereOpened.has("shortcuts") && <ShortcutsDialog isOpen={open === "shortcuts"} onClose={close} />}
    </div>
  );
}

function Sidebar({ onSearch, onShortcuts }: { onSearch: () => void; onShortcuts: () => void }) {
  const places = usePlaces();
  const { pathname } = useLocation();
  const nav = useCurrentInView(`${pathname} ${places.length}`);
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-3 py-2 md:sticky md:top-0 md:h-screen md:w-56 md:shrink-0 md:flex-col md:flex-nowrap md:items-stretch md:gap-1 md:border-r md:border-b-0 md:p-3">
      <Link
        to="/"
        className="flex items-center gap-2 rounded-md px-1 py-1 text-base font-semibold md:mb-2 md:px-2 md:low:mb-0"
      >
        <img src={new URL("../design/icon.svg", import.meta.url).href} alt="" className="size-6" />
        <span className="max-sm:sr-only">{words.product}</span>
      </Link>
      <WorkspaceMenu />
      <button
        type="button"
        onClick={onSearch}
        className="flex min-h-8 items-center gap-2 rounded-md border border-line bg-ground px-2 text-sm text-muted hover:bg-raised max-md:ml-auto md:my-1"
      >
        <Icon name="search" />
        <span className="flex-1 truncate text-left max-md:sr-only">{words.shell.search}</span>
        <kbd className="font-mono text-xs max-md:hidden">{modText("K")}</kbd>
      </button>
      <nav
        ref={nav}
        aria-label={words.shell.menu}
        className="flex gap-0.5 overflow-x-auto max-md:order-last max-md:w-full md:min-h-0 md:flex-1 md:flex-col md:overflow-y-auto"
      >
        {places.map((place) => (
          <Link
            key={place.to}
            to={place.to}
            activeOptions={{ exact: place.to === "/", includeSearch: false }}
            activeProps={{ className: "bg-accent-soft font-semibold text-text", "aria-current": "page" }}
            inactiveProps={{ className: "text-muted hover:bg-raised hover:text-text" }}
            className="flex shrink-0 items-center gap-2 rounded-md px-2 py-1.5 text-sm whitespace-nowrap md:low:py-0.5"
          >
            <Icon name={place.icon} className="max-sm:hidden" />
            {place.name}
          </Link>
        ))}
      </nav>
      <div className="flex items-center gap-1 md:flex-col md:items-stretch">
        <Link
          to="/docs"
          activeProps={{ className: "bg-accent-soft font-semibold text-text", "aria-current": "page" }}
          inactiveProps={{ className: "text-muted hover:bg-raised hover:text-text" }}
          className="flex items-center gap-2 rounded-md px-2 py-1.5 text-sm max-md:hidden low:py-0.5"
        >
          <Icon name="api" />
          {words.pages.api}
        </Link>
        <button
          type="button"
          onClick={onShortcuts}
          className="flex items-center gap-2 rounded-md px-2 py-1.5 text-sm text-muted hover:bg-raised hover:text-text max-md:hidden low:py-0.5"
        >
          <Icon name="keyboard" />
          {words.shell.shortcuts}
        </button>
        <LanguageMenu />
        <ThemeMenu />
        <Person />
      </div>
    </header>
  );
}

function WorkspaceMenu() {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const { data } = useWorkspaces();
  const names = [...new Set([workspace.name, ...(data?.items ?? []).map((item) => item.name)])].sort();
  const about = new Map((data?.items ?? []).map(({ name, description }) => [name, description]));
  return (
    <select
      aria-label={words.shell.workspace}
      value={workspace.name}
      title={about.get(workspace.name)}
      onChange={(event) => {
        const name = event.target.value;
        void navigate({ to: "/", search: { workspace: name === DEFAULT_WORKSPACE ? undefined : name } });
      }}
      className="min-h-8 max-w-40 truncate rounded-md border border-line bg-surface px-2 text-sm md:max-w-none"
    >
      {names.map((name) => (
        <option key={name} title={about.get(name)}>
          {name}
        </option>
      ))}
    </select>
  );
}

function LanguageMenu() {
  return (
    <label className="flex items-center gap-2 rounded-md text-sm text-muted sm:px-2">
      <Icon name="language" className="max-sm:hidden" />
      <span className="sr-only">{words.shell.language}</span>
      <select
        value={currentLanguage()}
        onChange={(event) => chooseLanguage(event.target.value as Language)}
        className="min-h-8 flex-1 rounded-md bg-surface py-1 text-sm hover:text-text max-sm:max-w-20 md:-ml-1"
      >
        {Object.entries(LANGUAGES).map(([value, name]) => (
          <option key={value} value={value} lang={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function ThemeMenu() {
  const theme = useSyncExternalStore(onThemeChosen, chosenTheme);
  return (
    <label className="flex items-center gap-2 rounded-md text-sm text-muted sm:px-2">
      <Icon name="theme" className="max-sm:hidden" />
      <span className="sr-only">{words.shell.theme}</span>
      <select
        value={theme}
        onChange={(event) => chooseTheme(event.target.value as Theme)}
        className="min-h-8 flex-1 rounded-md bg-surface py-1 text-sm hover:text-text md:-ml-1"
      >
        {Object.entries(words.shell.themes).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Person() {
  const { data } = useSession();
  const logOut = useLogOut();
  if (data === undefined) {
    return null;
  }
  if (data.principal.kind === "local") {
    return <p className="px-2 py-1.5 text-xs text-muted max-md:hidden">{words.shell.local}</p>;
  }
  return (
    <div className="flex items-center gap-2 px-2 text-sm">
      <span className="min-w-0 flex-1 truncate max-md:hidden" title={words.shell.loggedInAs(data.principal.name)}>
        {data.principal.name}
      </span>
      <button type="button" onClick={() => void logOut()} className="text-accent underline-offset-2 hover:underline">
        {words.shell.logOut}
      </button>
    </div>
  );
}

function NotLoggedIn({ error }: { error: unknown }) {
  return (
    <EmptyState title={words.shell.notLoggedIn}>
      <p>{error instanceof Error ? error.message : words.shell.notLoggedInHelp}</p>
      <a
        href={loginAddress()}
        className="inline-block rounded-md bg-accent px-4 py-2 font-medium text-accent-text hover:brightness-110"
      >
        {words.shell.logIn}
      </a>
    </EmptyState>
  );
}
