import { Dialog } from "@base-ui/react/dialog";
import { type KeyboardEvent, useId, useState } from "react";
import { Icon } from "#/parts/icon.tsx";
import type { Command } from "#/shell/commands.ts";
import { useCommands } from "#/shell/palette_commands.ts";
import { words } from "#/words/words.ts";

/** Finds pages, flows, scripts, runs and what can be done by a few letters. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(8_14_20_/_0.5)]" />
        <Dialog.Popup
          aria-label={words.shell.search}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(36rem,calc(100vw-1.5rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-surface shadow-float outline-none"
        >
          <Search onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [selected, setSelected] = useState(0);
  const commands = useCommands(text.trim());
  const list = useId();
  const act = (command: Command | undefined) => {
    if (command !== undefined) {
      onClose();
      command.act();
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      act(commands[selected]);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const by = event.key === "ArrowDown" ? 1 : -1;
      setSelected((at) => Math.max(0, Math.min(commands.length - 1, at + by)));
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-4">
        <Icon name="search" className="text-muted" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={commands[selected] && `${list}-${selected}`}
          aria-label={words.shell.search}
          placeholder={words.palette.placeholder}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setSelected(0);
          }}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 bg-transparent py-3.5 text-base outline-none placeholder:text-muted"
        />
      </div>
      <div id={list} role="listbox" aria-label={words.shell.search} className="max-h-[50vh] overflow-y-auto p-2">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
          <div
            key={command.id}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            onClick={() => act(command)}
            onMouseMove={() => setSelected(index)}
            className={`flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm ${index === selected ? "bg-accent-soft" : ""}`}
          >
            <Icon name={command.icon} className="text-muted" />
            <span className="min-w-0 truncate">{command.name}</span>
          </div>
        ))}
        {commands.length === 0 && <p className="px-3 py-6 text-center text-sm text-muted">{words.palette.nothing}</p>}
      </div>
    </>
  );
}
