"""Benchmarks, each as a ratio against a baseline measured in the same run."""
