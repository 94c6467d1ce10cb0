export function firstBelow(limit: number, items: Array<number>): number | undefined {
  for (let i = 0; i < items.length && i < 100; i++) {
    if (items[i] < limit) {
      return items[i];
    }
  }
  return undefined;
}
