import { modText } from "#/parts/keys.ts";
import { Modal } from "#/parts/modal.tsx";
import { PLACES } from "#/shell/places.ts";
import { words } from "#/words/words.ts";

const EVERYWHERE: readonly (readonly [string, string])[] = [
  ["?", words.shortcuts.help],
  [modText("K"), words.shortcuts.palette],
  ["/", words.shortcuts.filter],
  [modText("Enter"), words.shortcuts.confirm],
  ...PLACES.map((place) => [`g ${place.key}`, words.shortcuts.go(place.name)] as const),
];

const LISTS: readonly (readonly [string, string])[] = [
  ["j", words.shortcuts.down],
  ["k", words.shortcuts.up],
  ["Enter", words.shortcuts.open],
];

/** The list of all keys. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal title={words.shortcuts.title} isOpen={isOpen} onClose={onClose}>
      <div className="grid gap-6 sm:grid-cols-2">
        <Keys title={words.shortcuts.groups.everywhere} keys={EVERYWHERE} />
        <Keys title={words.shortcuts.groups.lists} keys={LISTS} />
      </div>
    </Modal>
  );
}

function Keys({ title, keys }: { title: string; keys: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      <dl className="space-y-1.5 text-sm">
        {keys.map(([key, does]) => (
          <div key={key} className="flex items-baseline justify-between gap-4">
            <dt className="text-muted">{does}</dt>
            <dd>
              <kbd className="rounded border border-line bg-raised px-1.5 py-0.5 font-mono text-xs whitespace-nowrap">
                {key}
              </kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
