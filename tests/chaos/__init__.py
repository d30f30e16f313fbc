"""Games while everything that can break does break: python -m tests.chaos"""
