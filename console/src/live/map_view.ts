/** A look at a map that grows: another look tells that it has changed, without a copy of what may be 100,000 entries. */
export class MapView<K, V> implements ReadonlyMap<K, V> {
  private readonly map: ReadonlyMap<K, V>;

  constructor(map: ReadonlyMap<K, V>) {
    this.map = map;
  }

  get size(): number {
    return this.map.size;
  }

  get(key: K): V | undefined {
    return this.map.get(key);
  }

  has(key: K): boolean {
    return this.map.has(key);
  }

  forEach(act: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.map) {
      act(value, key, this);
    }
  }

  entries(): MapIterator<[K, V]> {
    return this.map.entries();
  }

  keys(): MapIterator<K> {
    return this.map.keys();
  }

  values(): MapIterator<V> {
    return this.map.values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.map.entries();
  }
}
