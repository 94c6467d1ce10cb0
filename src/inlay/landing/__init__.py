"""A reply becomes files: the order of steps, approval, refusals; no terminal I/O."""
