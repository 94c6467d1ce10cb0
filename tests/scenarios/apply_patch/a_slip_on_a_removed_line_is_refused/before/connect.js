function connect(host) {
  const timeoutA = 1000;
  const timeoutB = 2000;
  open(host, timeoutA);
  retry(host, timeoutB);
}
