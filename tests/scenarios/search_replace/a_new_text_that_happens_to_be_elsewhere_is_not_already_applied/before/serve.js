function a() {
  go();
}
