"""Measures the service with up to a million running games: python -m bench.load --help"""
