function least(a, b) {
  if (a <= b) {
    return a;
  }
  return b;
}
