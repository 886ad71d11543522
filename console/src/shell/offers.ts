import { useEffect, useSyncExternalStore } from "react";

/** Something that the page offers to do, by the words on its button. */
export interface Offer {
  readonly label: string;
  readonly open: () => void;
}

/** Time within which a page that was opened for one of its actions must offer it. */
const AWAITED_MILLIS = 10_000;

/** What a page offers to do now, for those who look for it elsewhere than on the page. */
export class Offers {
  private offers: readonly Offer[] = [];
  private readonly readers = new Set<() => void>();
  private awaited = { label: "", until: 0 };

  /** Adds an offer, and opens it if somebody waits for it. Returns what withdraws it. */
  add(offer: Offer, nowMillis: number): () => void {
    this.set([...this.offers, offer]);
    if (offer.label === this.awaited.label && nowMillis < this.awaited.until) {
      this.awaited = { label: "", until: 0 };
      offer.open();
    }
    return () => this.set(this.offers.filter((other) => other !== offer));
  }

  /** Opens what has this label as soon as a page offers it. */
  openOnceOffered(label: string, nowMillis: number): void {
    const present = this.offers.find((offer) => offer.label === label);
    if (present !== undefined) {
      present.open();
    } else {
      this.awaited = { label, until: nowMillis + AWAITED_MILLIS };
    }
  }

  /** All offers but those whose labels do not tell them apart, such as the same button on each of many rows. */
  readonly distinct = (): readonly Offer[] => this.shown;
  private shown: readonly Offer[] = [];

  readonly subscribe = (reader: () => void): (() => void) => {
    this.readers.add(reader);
    return () => this.readers.delete(reader);
  };

  private set(offers: readonly Offer[]): void {
    this.offers = offers;
    const count = (label: string) => offers.filter((offer) => offer.label === label).length;
    this.shown = offers.filter(({ label }) => count(label) === 1);
    for (const reader of this.readers) {
      reader();
    }
  }
}

const offers = new Offers();

/** Lets others open what a button opens, while the button is there. */
export function useOffer(label: string, isOffered: boolean, setOpen: (open: boolean) => void): void {
  useEffect(
    () => (isOffered ? offers.add({ label, open: () => setOpen(true) }, Date.now()) : undefined),
    [label, isOffered, setOpen],
  );
}

/** What the page offers to do now. */
export function useOffers(): readonly Offer[] {
  return useSyncExternalStore(offers.subscribe, offers.distinct);
}

/** Opens what has this label as soon as a page offers it: now, or once the page that is on its way is there. */
export function openOnceOffered(label: string): void {
  offers.openOnceOffered(label, Date.now());
}
