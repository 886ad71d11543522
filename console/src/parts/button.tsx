import type { ButtonHTMLAttributes } from "react";

const KINDS = {
  primary: "bg-accent text-accent-text border-accent hover:brightness-110",
  plain: "bg-surface text-text border-line hover:bg-raised",
  danger: "bg-surface text-failed border-line hover:bg-failed-soft",
  ghost: "bg-transparent text-muted border-transparent hover:bg-raised hover:text-text",
} as const;

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: keyof typeof KINDS;
}

/** How a button looks, for links that act like one. */
export function buttonStyle(kind: keyof typeof KINDS): string {
  return `inline-flex min-h-8 items-center justify-center gap-1.5 rounded-md border px-3 py-1 text-sm font-medium whitespace-nowrap disabled:opacity-55 ${KINDS[kind]}`;
}

/** A button, which never submits a form unless it says so. */
export function Button({ kind = "plain", type = "button", className = "", ...rest }: Props) {
  return <button {...rest} type={type} className={`${buttonStyle(kind)} ${className}`} />;
}
