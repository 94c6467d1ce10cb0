+ (id)shared {
  go();
  stop();
}

- (void)run {
  go();
  halt();
}
