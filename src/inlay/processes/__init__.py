"""The only package that starts programs, with time-outs and a clean environment."""
