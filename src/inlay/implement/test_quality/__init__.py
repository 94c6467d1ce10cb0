"""Tests that cannot fail, and tests that assert less than before."""
