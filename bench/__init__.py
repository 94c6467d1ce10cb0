"""The benchmark: real edits, corrupted the way models corrupt them, judged by the bytes that result."""
