"""Keeps pytest from collecting the files of the scenarios as tests."""

collect_ignore_glob = ["*"]
