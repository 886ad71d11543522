import { tags } from "@lezer/highlight";

/** Colors of code by the tokens of the design, each with the class that gives the same color. */
export const SYNTAX = [
  {
    tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword],
    color: "var(--canceled)",
    class: "text-canceled",
  },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)", class: "text-accent" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--succeeded)", class: "text-succeeded" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--running)", class: "text-running" },
  { tag: [tags.comment, tags.meta], color: "var(--muted)", fontStyle: "italic", class: "text-muted italic" },
  {
    tag: [tags.function(tags.variableName), tags.typeName, tags.className],
    color: "var(--waiting)",
    class: "text-waiting",
  },
];
