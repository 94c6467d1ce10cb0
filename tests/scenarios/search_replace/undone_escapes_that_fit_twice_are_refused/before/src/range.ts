export function low(value: number) {
  if (value < 0) {
    return 0;
  }
  return value;
}

export function half(value: number) {
  if (value < 0) {
    return 0;
  }
  return value / 2;
}
