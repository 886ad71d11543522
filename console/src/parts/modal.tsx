import { Dialog } from "@base-ui/react/dialog";
import type { KeyboardEvent, ReactNode } from "react";
import { Icon } from "#/parts/icon.tsx";
import { words } from "#/words/words.ts";

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Confirms the form that is or contains an element by Ctrl and Enter, since Enter alone begins a line in many fields. */
export function submitByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    const { currentTarget: element } = event;
    (element instanceof HTMLFormElement ? element : element.querySelector("form"))?.requestSubmit();
  }
}

/** A dialog over the page, which keeps the focus until it is closed. */
export function Modal({ title, isOpen, onClose, children }: Props) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(8_14_20_/_0.5)]" />
        <Dialog.Popup
          onKeyDown={submitByKey}
          className="fixed top-[8vh] left-1/2 z-50 flex max-h-[84vh] w-[min(40rem,calc(100vw-1.5rem))] -translate-x-1/2 flex-col rounded-xl border border-line bg-surface shadow-float outline-none"
        >
          <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-3">
            <Dialog.Title className="min-w-0 truncate text-base font-semibold">{title}</Dialog.Title>
            <Dialog.Close
              aria-label={words.common.close}
              className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-raised hover:text-text"
            >
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <div className="min-h-0 overflow-y-auto p-4">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
