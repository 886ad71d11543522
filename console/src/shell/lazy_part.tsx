import { useQuery } from "@tanstack/react-query";
import { type ComponentType, type FunctionComponent, type ReactNode, useState } from "react";
import { Loaded } from "#/parts/loaded.tsx";
import { loadCode } from "#/shell/code.ts";

/** Time between two tries to load code while the server is down. */
const RETRY_MILLIS = 3_000;

/** A component whose code comes when it is first shown. */
export type LazyPart<P> = FunctionComponent<P> & { readonly preload: () => Promise<void> };

type Frame<P> = ComponentType<P & { readonly children: ReactNode }>;

let count = 0;

/**
 * A part of the console whose code comes when it is first shown. If the code cannot be loaded, its place says so, while all
 * around stays as it is.
 *
 * @param Around what stands around these words, for a dialog, which is not there until its code is
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>, Around?: Frame<P>): LazyPart<P> {
  count += 1;
  const key = ["code", count];
  let Part: ComponentType<P> | undefined;
  const keep = async () => {
    Part = await load();
    return Part;
  };
  function Waiting(props: P) {
    const code = useQuery({
      queryKey: key,
      queryFn: () => loadCode(keep),
      networkMode: "always",
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }) => (state.status === "error" ? RETRY_MILLIS : false),
    });
    const Shown = code.data;
    if (Shown !== undefined) {
      return <Shown {...props} />;
    }
    const words = <Loaded query={code}>{() => null}</Loaded>;
    return Around === undefined ? words : code.isPending ? null : <Around {...props}>{words}</Around>;
  }
  function Lazy(props: P) {
    // What is shown once stays: another component in its place would lose what people have typed.
    const [Ready] = useState(() => Part);
    return Ready === undefined ? <Waiting {...props} /> : <Ready {...props} />;
  }
  // A page that is likely to be opened may be loaded before; if that fails, nobody needs to know.
  const preload = () =>
    keep().then(
      () => undefined,
      () => undefined,
    );
  return Object.assign(Lazy, { preload });
}
