export const rate = 0.2;
