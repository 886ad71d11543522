import { en } from "#/words/en.ts";

/** All words of the console. A translation is another object of this type. */
export type Words = typeof en;

export const words: Words = en;
