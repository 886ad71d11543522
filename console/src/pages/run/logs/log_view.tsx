import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useImperativeHandle, useLayoutEffect, useMemo, useRef } from "react";
import { LineView } from "#/pages/run/logs/line_view.tsx";
import type { LogLine } from "#/pages/run/logs/log_lines.ts";
import { stepCharacters } from "#/pages/run/logs/step_column.ts";
import { useShownKey } from "#/pages/run/loops/use_branch_names.ts";
import { words } from "#/words/words.ts";

const LINE_HEIGHT = 20;
/** Distance from an end of the lines, in pixels, within which more of them are loaded. */
const NEAR_END = 1_500;
/** Distance from the end within which the view is at the end. */
const AT_END = 40;

export interface LogViewHandle {
  readonly box: () => HTMLElement | null;
  /** The first line that is seen. */
  readonly firstSeen: () => LogLine | undefined;
  readonly scrollTo: (key: string) => void;
  readonly scrollToEnd: () => void;
  readonly scrollToStart: () => void;
}

interface Props {
  readonly handle: RefObject<LogViewHandle | null>;
  readonly lines: readonly LogLine[];
  readonly marked: string | undefined;
  readonly isWrapped: boolean;
  readonly isFollowing: boolean;
  readonly showsSteps: boolean;
  readonly onNearStart: () => void;
  readonly onNearEnd: () => void;
  readonly onScrolled: (isAtEnd: boolean) => void;
  readonly onKey: (key: "Home" | "End") => void;
  readonly onLink: (line: LogLine) => void;
}

/** The lines of a window of a log, of which only those that are seen exist on the page. Lines that are seen stay where they are. */
export function LogView({ handle, lines, marked, isWrapped, isFollowing, showsSteps, ...on }: Props) {
  const shownKey = useShownKey();
  const characters = useMemo(() => (showsSteps ? stepCharacters(lines, shownKey) : 0), [lines, showsSteps, shownKey]);
  const scroller = useRef<HTMLDivElement>(null);
  const anchor = useRef<{ key: string; offset: number } | undefined>(undefined);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 20,
  });
  const seen = () => {
    const top = scroller.current?.scrollTop ?? 0;
    return virtual.getVirtualItems().find((item) => item.end > top);
  };
  const remember = () => {
    const item = seen();
    const key = item === undefined ? undefined : lines[item.index]?.key;
    anchor.current =
      item === undefined || key === undefined
        ? undefined
        : { key, offset: (scroller.current?.scrollTop ?? 0) - item.start };
  };
  const indexOf = (key: string) => lines.findIndex((line) => line.key === key);
  useImperativeHandle(handle, () => ({
    box: () => scroller.current,
    firstSeen: () => lines[seen()?.index ?? 0],
    scrollTo: (key) => {
      const index = indexOf(key);
      if (index >= 0) {
        anchor.current = undefined;
        virtual.scrollToIndex(index, { align: "center" });
      }
    },
    scrollToEnd: () => {
      anchor.current = undefined;
      virtual.scrollToIndex(lines.length - 1, { align: "end" });
    },
    scrollToStart: () => {
      anchor.current = undefined;
      virtual.scrollToOffset(0);
    },
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines, and nothing else, move what is seen
  useLayoutEffect(() => {
    if (isFollowing) {
      virtual.scrollToIndex(lines.length - 1, { align: "end" });
      return;
    }
    const before = anchor.current;
    const index = before === undefined ? -1 : indexOf(before.key);
    const place = index < 0 ? undefined : virtual.getOffsetForIndex(index, "start")?.[0];
    if (before !== undefined && place !== undefined) {
      virtual.scrollToOffset(place + before.offset);
    }
  }, [lines, isFollowing]);
  const onScroll = () => {
    const box = scroller.current;
    if (box === null) {
      return;
    }
    remember();
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (box.scrollTop < NEAR_END) {
      on.onNearStart();
    }
    if (below < NEAR_END) {
      on.onNearEnd();
    }
    on.onScrolled(below <= AT_END);
  };
  return (
    <div
      ref={scroller}
      onScroll={onScroll}
      onKeyDown={(event) => {
        if (event.key === "Home" || event.key === "End") {
          event.preventDefault();
          on.onKey(event.key);
        }
      }}
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={words.run.tabs.logs}
      className="h-[62vh] overflow-auto rounded-md border border-line bg-surface py-1 font-mono text-xs leading-5 [overflow-anchor:none]"
    >
      <div className="relative w-full" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          return line === undefined ? null : (
            <div
              key={item.key}
              data-index={item.index}
              ref={isWrapped ? virtual.measureElement : undefined}
              className={`absolute top-0 left-0 flex w-full gap-3 px-2 hover:bg-raised ${
                line.key === marked ? "bg-waiting-soft" : ""
              }`}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <LineView line={line} isWrapped={isWrapped} stepCharacters={characters} onLink={() => on.onLink(line)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
