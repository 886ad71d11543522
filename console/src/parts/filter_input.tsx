/** The filter of a list that is whole on the page. */
export function FilterInput(props: { label: string; text: string; onChange: (text: string) => void }) {
  return (
    <input
      data-filter
      aria-label={props.label}
      placeholder={props.label}
      value={props.text}
      onChange={(event) => props.onChange(event.target.value)}
      className="min-h-9 w-full max-w-md rounded-md border border-line bg-surface px-2.5 text-sm placeholder:text-muted"
    />
  );
}
