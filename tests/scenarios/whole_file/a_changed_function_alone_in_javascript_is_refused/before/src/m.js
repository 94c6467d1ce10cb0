export function f0(x) {
  return x + 0;
}

export function f1(x) {
  return x + 1;
}

export function f2(x) {
  return x + 2;
}

export function f3(x) {
  return x + 3;
}

export function f4(x) {
  return x + 4;
}

export function f5(x) {
  return x + 5;
}

export function f6(x) {
  return x + 6;
}

export function f7(x) {
  return x + 7;
}

export function f8(x) {
  return x + 8;
}

export function f9(x) {
  return x + 9;
}

export function f10(x) {
  return x + 10;
}

export function f11(x) {
  return x + 11;
}

