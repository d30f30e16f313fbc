"""Simulates how many running games a number of machines carry, and what is the first limit: python -m bench.growth"""
