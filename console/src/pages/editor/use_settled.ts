import { useEffect, useState } from "react";

const SETTLE_MILLIS = 400;

/** The value once it has not changed for a moment. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MILLIS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
